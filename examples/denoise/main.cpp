// Denoises a picture: reads it, runs the diffusion of diffusion.hpp for a number of steps with progress, writes the result
// and a detail before and after, and prints what the library did.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "before_after.hpp"
#include "diffusion.hpp"
#include "options.hpp"
#include "png_file.hpp"
#include "run_again.hpp"

namespace {

picture upload(const planes& colours, int width, int height) {
    const frit::shape extents{height, width};
    return {frit::from_host(colours[0], extents), frit::from_host(colours[1], extents),
            frit::from_host(colours[2], extents)};
}

planes download(const picture& u) { return {u.r.to_vector(), u.g.to_vector(), u.b.to_vector()}; }

/// Runs the steps; `show` is called with the number of the step and its residual, as an array that may be read or not.
template <class Show>
picture iterate(picture u, const options& o, const Show& show) {
    for (int i = 1; i <= o.steps; ++i) {
        diffusion_step step = diffuse(u, o.kappa, o.lambda);
        frit::eval(step.next.r, step.next.g, step.next.b, step.change);
        show(i, step.change);
        u = step.next;
    }
    return u;
}

/// What one process measures of itself: all steps once, which compiles whatever is missing, and all steps again, timed.
struct figures {
    unsigned long long compilations = 0, disk_hits = 0, kernels_per_step = 0;
    double milliseconds_per_step = 0;
};

figures measure(const picture& u, const options& o) {
    const auto silent = [](int, const frit::array<float>&) {};
    frit::reset_stats();
    iterate(u, o, silent);
    frit::synchronize();
    const frit::counters first = frit::stats();
    const auto start = std::chrono::steady_clock::now();
    iterate(u, o, silent);
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const auto steps = static_cast<unsigned long long>(o.steps);
    return {first.compilations, first.disk_hits, (frit::stats().kernels_launched - first.kernels_launched) / steps,
            elapsed.count() / o.steps};
}

figures measure_in_new_process(const options& o, const std::string& setting) {
    std::vector<std::string> arguments{"--figures", "--input", o.input, "--steps", std::to_string(o.steps)};
    if (!o.device.empty()) arguments.insert(arguments.end(), {"--device", o.device});
    std::istringstream line(run_again(arguments, setting));
    figures f;
    if (!(line >> f.compilations >> f.disk_hits >> f.kernels_per_step >> f.milliseconds_per_step))
        throw std::runtime_error("the second process printed no figures");
    return f;
}

picture denoise_with_progress(const picture& noisy, const options& o) {
    const int every = o.steps < 10 ? 1 : o.steps / 10;
    return iterate(noisy, o, [&](int step, const frit::array<float>& change) {
        if (step % every != 0 && step != 1 && step != o.steps) return;
        std::printf("  step %*d of %d   residual %.3e\n", o.steps < 100 ? 2 : 6, step, o.steps,
                    static_cast<double>(change.item()));
        std::fflush(stdout);
    });
}

void run(const command_line& line) {
    const options o = parse(line);
    const rgb8 input = read_png(o.input);
    const picture noisy = upload(to_planes(input), input.width, input.height);
    if (o.figures) {
        const figures f = measure(noisy, o);
        std::printf("%llu %llu %llu %.6f\n", f.compilations, f.disk_hits, f.kernels_per_step, f.milliseconds_per_step);
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(o.output, error);
    if (error) throw std::runtime_error("cannot create the folder " + o.output + ": " + error.message());

    std::printf("denoising %s, %d x %d, on %s\n", o.input.c_str(), input.width, input.height,
                frit::default_device().description().c_str());
    {
        const diffusion_step step = diffuse(noisy, o.kappa, o.lambda);
        const frit::plan plan = frit::make_plan(step.next.r, step.next.g, step.next.b, step.change);
        std::printf("plan of a step: %zu kernel(s), %.1f MB read, %.1f MB written\n", plan.kernels().size(),
                    static_cast<double>(plan.bytes_read()) * 1e-6, static_cast<double>(plan.bytes_written()) * 1e-6);
    }
    frit::reset_stats();
    const picture clean = denoise_with_progress(noisy, o);
    const rgb8 output = to_rgb8(download(clean), input.width, input.height);
    const frit::counters first = frit::stats();

    const std::filesystem::path folder = o.output;
    write_png(folder / "denoised.png", output);
    write_png(folder / "before-after.png", before_after(input, output, o.x, o.y));

    const figures fused = measure_in_new_process(o, ""), unfused = measure_in_new_process(o, "FRIT_FUSION=off");
    std::printf("compilations: %llu in this process, %llu in a second one (kernels from the disk cache: %llu and %llu)\n",
                static_cast<unsigned long long>(first.compilations), fused.compilations,
                static_cast<unsigned long long>(first.disk_hits), fused.disk_hits);
    if (frit::default_device().description().find("interpreter") != std::string::npos)
        std::printf("  (the CPU's interpreter compiles nothing; FRIT_CPU_ENGINE=cxx compiles for the CPU)\n");
    std::printf("time per step: %.3f ms fused (kernels: %llu), %.3f ms with fusion off (kernels: %llu)\n",
                fused.milliseconds_per_step, fused.kernels_per_step, unfused.milliseconds_per_step,
                unfused.kernels_per_step);
    std::printf("wrote %s and %s\n", (folder / "denoised.png").c_str(), (folder / "before-after.png").c_str());
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }
