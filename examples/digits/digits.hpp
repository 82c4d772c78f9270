// Two classifiers of handwritten digits: logistic regression, and a network with one hidden layer. What this example shows
// of frit: the formulas of a textbook, gradients by hand included. Products go to BLAS; activations, the loss, its
// derivative and the update of the weights fuse around them, and a step never waits for the host.
//
// The loss is the cross entropy of softmax, whose derivative by the logits is (probabilities - one_hot) / n; the chain rule
// does the rest (D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning representations by back-propagating errors",
// Nature 323, 1986, 533-536).
#pragma once

#include <cmath>
#include <cstdint>

#include <frit/frit.hpp>

using matrix = frit::array<float>;
using labels = frit::array<std::int64_t>;

/// Images (n, 64) in [0, 1], and what they show.
struct examples {
    matrix x;
    labels digit;
};

inline matrix one_hot(const labels& digit) {
    return frit::cast<float>(digit(frit::all, frit::newaxis) == frit::arange<std::int64_t>(10));
}

/// How much the mean loss grows with each logit.
inline matrix slope_of_loss(const matrix& logits, const labels& digit) {
    return (softmax(logits, 1) - one_hot(digit)) / static_cast<float>(digit.size());
}
inline frit::array<float> loss(const matrix& logits, const labels& digit) {
    return -mean(sum(one_hot(digit) * log_softmax(logits, 1), 1));
}
inline frit::array<double> accuracy(const matrix& logits, const labels& digit) { return mean(argmax(logits, 1) == digit); }

/// y = x w + b
struct layer {
    matrix w, b;
    matrix operator()(const matrix& x) const { return matmul(x, w) + b; }
    /// One step of gradient descent, for the derivative of the loss by y.
    void descend(const matrix& x, const matrix& by_y, float rate) {
        w -= rate * matmul(x.T(), by_y);
        b -= rate * sum(by_y, 0);
    }
};
/// Weights of deviation sqrt(2 / inputs) (K. He et al., "Delving deep into rectifiers", 2015).
inline layer random_layer(std::int64_t inputs, std::int64_t outputs, frit::random::generator& random) {
    const float deviation = std::sqrt(2.0f / static_cast<float>(inputs));
    return {random.normal<float>({inputs, outputs}, 0, deviation).eval(), frit::zeros<float>({outputs})};
}

struct logistic_regression {
    layer out{frit::zeros<float>({64, 10}), frit::zeros<float>({10})};
    matrix logits(const matrix& x) const { return out(x); }
    void learn(const examples& e, float rate) {
        out.descend(e.x, slope_of_loss(logits(e.x), e.digit), rate);
        frit::eval(out.w, out.b);
    }
};

/// 64 -> hidden, relu, -> 10.
struct network {
    layer first, second;
    network(std::int64_t hidden, frit::random::generator random)
        : first(random_layer(64, hidden, random)), second(random_layer(hidden, 10, random)) {}
    matrix logits(const matrix& x) const { return second(relu(first(x))); }
    void learn(const examples& e, float rate) {
        const matrix before = first(e.x), hidden = relu(before);
        const matrix by_logits = slope_of_loss(second(hidden), e.digit);
        const matrix by_before = where(before > 0, matmul(by_logits, second.w.T()), 0.0f);
        second.descend(hidden, by_logits, rate);
        first.descend(e.x, by_before, rate);
        frit::eval(first.w, first.b, second.w, second.b);
    }
};
