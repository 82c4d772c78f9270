// Handwritten digits learned by logistic regression and by a small network (digits.hpp). Prints loss and accuracy as they
// learn, and writes digits.png: above, what speaks for (orange) and against (blue) each digit in logistic regression; below,
// images of the test set that the network gets wrong.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "dataset.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: digits [options]\n"
    "\n"
    "Learns to read handwritten digits.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --steps N           of gradient descent, over all images of the training set (default 400)\n"
    "  --hidden N          neurons of the network (default 48)\n"
    "  --output FILE       the picture (default digits.png)\n"
    "  --help              this text\n";

template <class Model>
void learn(const char* name, Model& m, const dataset& d, float rate, int steps) {
    std::printf("%s\n%6s %10s %10s %10s\n", name, "step", "loss", "training", "test");
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 1; k <= steps; ++k) {
        m.learn(d.training, rate);
        if (k % std::max(1, steps / 4) != 0) continue;
        const matrix known = m.logits(d.training.x);
        std::printf("%6d %10.4f %9.1f%% %9.1f%%\n", k, static_cast<double>(loss(known, d.training.digit).item()),
                    100 * accuracy(known, d.training.digit).item(), 100 * accuracy(m.logits(d.test.x), d.test.digit).item());
    }
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    std::printf("%.2f ms a step, compilation included\n\n", elapsed.count() / steps);
}

/// Rows of ten images each, framed, every pixel as large as `scale`; (n, 64) with values from -1 to 1.
frit::array<double> tiles(const matrix& images, int scale) {
    const std::int64_t rows = images.shape()[0] / 10;
    const frit::array<double> framed =
        pad(frit::cast<double>(images).reshape({rows, 10, 8, 8}), {{0, 0}, {0, 0}, {1, 1}, {1, 1}});
    return repeat(repeat(transpose(framed, {0, 2, 1, 3}).reshape({rows * 10, 100}), scale, 0), scale, 1);
}

void run(const command_line& line) {
    const int steps = line.number("--steps", 400, 1, 1 << 20);
    const dataset d = read_digits(FRIT_EXAMPLE_DATA "/digits.png");
    std::printf("%lld images to learn from, %lld to test, %s\n\n", static_cast<long long>(d.training.digit.size()),
                static_cast<long long>(d.test.digit.size()), frit::default_device().description().c_str());
    logistic_regression simple;
    learn("logistic regression", simple, d, 1.0f, steps);
    network layers(line.number("--hidden", 48, 1, 1 << 16), frit::random::generator(1));
    learn("network", layers, d, 0.5f, steps);

    const matrix w = simple.out.w.T() / max(abs(simple.out.w));
    const frit::array<bool> wrong = argmax(layers.logits(d.test.x), 1) != d.test.digit;
    const matrix missed = d.test.x(wrong);
    const std::int64_t shown = std::min<std::int64_t>(missed.shape()[0], 30) / 10 * 10;
    const frit::array<double> picture = 0.5 + 0.5 * concatenate(0, tiles(w, 6), tiles(missed(frit::slice(0, shown)), 6));
    const gradient cold_to_warm{{0, 0.05, 0.2, 0.5}, {0.5, 1, 1, 1}, {1, 0.85, 0.35, 0.05}};
    show_picture(line.text("--output", "digits.png"), colour(picture.to_vector(), static_cast<int>(picture.shape()[1]),
                                                             static_cast<int>(picture.shape()[0]), cold_to_warm));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }
