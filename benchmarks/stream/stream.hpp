// BabelStream's five kernels: what an implementation has to offer, start values, and the check of the values at the end.
// T. Deakin, J. Price, M. Martineau, S. McIntosh-Smith, "Evaluating attainable memory bandwidth of parallel programming
// models via BabelStream", International Journal of Computational Science and Engineering 17(3), 2018; after J. D.
// McCalpin's STREAM.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

inline constexpr double start_a = 0.1, start_b = 0.2, start_c = 0, factor = 0.4;

struct stream_kernel {
    const char* name;
    double arrays;  ///< read and written
};
inline constexpr std::array<stream_kernel, 5> stream_kernels{
    {{"copy", 2}, {"mul", 2}, {"add", 3}, {"triad", 3}, {"dot", 2}}};

/// Three arrays of doubles and the kernels on them. A call returns when its work is done, on a GPU when it is asked for.
class stream_arrays {
public:
    virtual ~stream_arrays() = default;
    virtual void copy() = 0;   // c = a
    virtual void mul() = 0;    // b = factor * c
    virtual void add() = 0;    // c = a + b
    virtual void triad() = 0;  // a = b + factor * c
    virtual double dot() = 0;  // sum(a * b)
    virtual std::array<std::vector<double>, 3> values() = 0;

    void run(const std::string& kernel);
    /// BabelStream's check after the five kernels have run in this order, `passes` times (each as often as one likes: no
    /// kernel reads what it writes). @return the largest error in multiples of what is allowed: an average of 100 epsilon
    /// for an array, relatively 1e-8 for the dot product
    double error(int passes);
};

std::unique_ptr<stream_arrays> make_frit_stream(std::size_t n);  ///< on the default device
std::unique_ptr<stream_arrays> make_loop_stream(std::size_t n, int threads);
