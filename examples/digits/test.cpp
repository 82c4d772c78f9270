// The gradients by hand against differences of the loss, the accuracies that are reached on images which were not learned
// from, and what a step launches.
#include <cmath>

#include "check.hpp"
#include "dataset.hpp"

namespace {

double loss_of(const network& m, const examples& e) { return static_cast<double>(loss(m.logits(e.x), e.digit).item()); }

/// A step changes the weights by -rate * gradient: along it the loss has the slope -|step|^2 / rate.
void gradients_are_slopes(const dataset& d) {
    constexpr float rate = 0.5f, h = 0.05f;
    const network before(20, frit::random::generator(2));
    network after = before;
    after.learn(d.training, rate);
    const auto moved = [&](float by) {
        network m = before;
        for (layer network::*l : {&network::first, &network::second}) {
            (m.*l).w += by * ((after.*l).w - (before.*l).w);
            (m.*l).b += by * ((after.*l).b - (before.*l).b);
        }
        return loss_of(m, d.training);
    };
    double squares = 0;
    for (layer network::*l : {&network::first, &network::second})
        for (matrix layer::*part : {&layer::w, &layer::b}) {
            const frit::array<double> step = frit::cast<double>((after.*l).*part - (before.*l).*part);
            squares += sum(step * step).item();
        }
    const double expected = -squares / static_cast<double>(rate);
    const double slope = (moved(h) - moved(-h)) / (2 * static_cast<double>(h));
    check(std::abs(slope / expected - 1) < 0.01, "slope of the loss along a step, over that of the gradient",
          slope / expected);
}

template <class Model>
double learned(const char* name, Model m, const dataset& d, float rate, double at_least) {
    const double start = static_cast<double>(loss(m.logits(d.training.x), d.training.digit).item());
    for (int k = 0; k < 300; ++k) m.learn(d.training, rate);
    const double end = static_cast<double>(loss(m.logits(d.training.x), d.training.digit).item());
    const double right = accuracy(m.logits(d.test.x), d.test.digit).item();
    std::printf("%s\n", name);
    check(end < start / 10, "loss after 300 steps, a tenth of that before or less", end);
    check(right > at_least, "share of the test images that are read right", right);
    return right;
}

template <class Model>
void costs(Model m, const dataset& d, double kernels, double products) {
    for (int k = 0; k < 3; ++k) m.learn(d.training, 0.5f);
    frit::reset_stats();
    for (int k = 0; k < 10; ++k) m.learn(d.training, 0.5f);
    const frit::counters c = frit::stats();
    check(static_cast<double>(c.kernels_launched) <= 10 * kernels, "kernels in 10 steps",
          static_cast<double>(c.kernels_launched));
    check(static_cast<double>(c.library_calls) == 10 * products, "products", static_cast<double>(c.library_calls));
    check(c.plans_built == 0, "plans built", static_cast<double>(c.plans_built));
}

void run() {
    const dataset d = read_digits(FRIT_EXAMPLE_DATA "/digits.png");
    check(d.training.x.shape() == frit::shape{1200, 64} && d.test.x.shape() == frit::shape{540, 64}, "images",
          static_cast<double>(d.training.x.size() / 64));
    gradients_are_slopes(d);
    const double simple = learned("logistic regression", logistic_regression{}, d, 1.0f, 0.9);
    const double layers = learned("network", network(48, frit::random::generator(1)), d, 0.5f, 0.915);
    check(layers > simple, "how much better the network is", layers - simple);
    costs(logistic_regression{}, d, 2, 2);
    costs(network(48, frit::random::generator(1)), d, 4, 5);
}

}  // namespace

int main() { return run_checks(run); }
