// A picture with noise, and what a Wiener filter (wiener.hpp) makes of it. Prints how far both are from the picture without
// noise, and writes wiener.png: the noisy picture beside the filtered one.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "png_file.hpp"
#include "wiener.hpp"

namespace {

constexpr const char* usage =
    "usage: wiener [options]\n"
    "\n"
    "Adds noise to a picture and takes it out again in the frequency domain.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --input FILE        a PNG file (default: the Hubble deep field that comes with the example)\n"
    "  --noise S           its standard deviation, of 255 (default 25)\n"
    "  --output FILE       the picture (default wiener.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const rgb8 input = read_png(line.text("--input", FRIT_EXAMPLE_DATA "/hubble_deep_field.png"));
    const std::int64_t h = input.height, w = input.width;
    const float noise = static_cast<float>(line.number("--noise", 25, 1, 255)) / 255;
    const frit::array<float> picture =
        (frit::cast<float>(transpose(frit::from_host(input.bytes, {h, w, 3}), {2, 0, 1})) / 255).eval();
    frit::random::generator random(20240607);
    const frit::array<float> noisy = (picture + random.normal<float>(picture.shape(), 0, noise)).eval();

    wiener(noisy, noise).eval();  // compiles
    frit::reset_stats();
    const auto start = std::chrono::steady_clock::now();
    const frit::array<float> filtered = wiener(noisy, noise).eval();
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("%lld x %lld pixels, %s: %llu kernels and %llu library calls, %.1f ms\n", static_cast<long long>(w),
                static_cast<long long>(h), frit::default_device().description().c_str(),
                static_cast<unsigned long long>(frit::stats().kernels_launched),
                static_cast<unsigned long long>(frit::stats().library_calls), elapsed.count());
    std::printf("noise %.1f dB, filtered %.1f dB\n", psnr(noisy, picture), psnr(filtered, picture));

    const frit::array<float> both = transpose(concatenate(2, noisy, filtered), {1, 2, 0});
    const frit::array<std::uint8_t> bytes = frit::cast<std::uint8_t>(rint(255 * clip(both, 0.0F, 1.0F)));
    show_picture(line.text("--output", "wiener.png"), {2 * input.width, input.height, bytes.to_vector()});
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }
