// The kernels as a user of frit writes them.
#include <frit/frit.hpp>

#include "stream.hpp"

namespace {

class frit_stream final : public stream_arrays {
public:
    explicit frit_stream(std::size_t n)
        : a_(frit::full(n, start_a).eval()), b_(frit::full(n, start_b).eval()), c_(frit::full(n, start_c).eval()) {}

    // `c = a` would share a's memory; this moves as many bytes.
    void copy() override { c_ = frit::maximum(a_, a_), c_.eval(); }
    void mul() override { b_ = factor * c_, b_.eval(); }
    void add() override { c_ = a_ + b_, c_.eval(); }
    void triad() override { a_ = b_ + factor * c_, a_.eval(); }
    double dot() override { return frit::sum(a_ * b_).item(); }
    std::array<std::vector<double>, 3> values() override { return {a_.to_vector(), b_.to_vector(), c_.to_vector()}; }

private:
    frit::array<double> a_, b_, c_;
};

}  // namespace

std::unique_ptr<stream_arrays> make_frit_stream(std::size_t n) { return std::make_unique<frit_stream>(n); }
