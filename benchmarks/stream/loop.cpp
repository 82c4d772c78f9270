// The kernels as plain loops over plain memory, on one or more threads: the peer. Compiled with -O3 -march=native.
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "stream.hpp"

namespace {

class loop_stream final : public stream_arrays {
public:
    loop_stream(std::size_t n, int threads) : n_(n), threads_(static_cast<std::size_t>(threads)) {
        for (double** array : {&a_, &b_, &c_}) *array = allocate();
        in_parallel([this](std::size_t begin, std::size_t end, double&) {
            for (std::size_t i = begin; i < end; ++i) a_[i] = start_a, b_[i] = start_b, c_[i] = start_c;
        });
    }
    ~loop_stream() override {
        for (double* array : {a_, b_, c_}) std::free(array);
    }
    loop_stream(const loop_stream&) = delete;
    loop_stream& operator=(const loop_stream&) = delete;

    void copy() override {
        in_parallel([a = a_, c = c_](std::size_t begin, std::size_t end, double&) {
            for (std::size_t i = begin; i < end; ++i) c[i] = a[i];
        });
    }
    void mul() override {
        in_parallel([b = b_, c = c_](std::size_t begin, std::size_t end, double&) {
            for (std::size_t i = begin; i < end; ++i) b[i] = factor * c[i];
        });
    }
    void add() override {
        in_parallel([a = a_, b = b_, c = c_](std::size_t begin, std::size_t end, double&) {
            for (std::size_t i = begin; i < end; ++i) c[i] = a[i] + b[i];
        });
    }
    void triad() override {
        in_parallel([a = a_, b = b_, c = c_](std::size_t begin, std::size_t end, double&) {
            for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + factor * c[i];
        });
    }
    double dot() override {
        return in_parallel([a = a_, b = b_](std::size_t begin, std::size_t end, double& result) {
            double sums[32]{};  // as many as hide the latency of additions
            std::size_t i = begin;
            for (; i + 32 <= end; i += 32)
                for (std::size_t k = 0; k < 32; ++k) sums[k] += a[i + k] * b[i + k];
            double sum = 0;
            for (; i < end; ++i) sum += a[i] * b[i];
            for (const double s : sums) sum += s;
            result = sum;
        });
    }
    std::array<std::vector<double>, 3> values() override { return {copy_of(a_), copy_of(b_), copy_of(c_)}; }

private:
    /// Large pages, as frit has them.
    double* allocate() const {
        constexpr std::size_t page = std::size_t{2} << 20;
        const std::size_t bytes = (n_ * sizeof(double) + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, bytes);
        if (memory == nullptr) throw std::bad_alloc();
        madvise(memory, bytes, MADV_HUGEPAGE);
        return static_cast<double*>(memory);
    }
    std::vector<double> copy_of(const double* array) const { return {array, array + n_}; }

    /// Runs the loop in equal parts, one a thread, and returns the sum of their results.
    template <class Loop>
    double in_parallel(const Loop& loop) const {
        std::vector<double> results(threads_);
        std::vector<std::thread> others;
        const auto part = [&](std::size_t k) { loop(n_ * k / threads_, n_ * (k + 1) / threads_, results[k]); };
        for (std::size_t k = 1; k < threads_; ++k) others.emplace_back(part, k);
        part(0);
        double sum = results[0];
        for (std::size_t k = 1; k < threads_; ++k) {
            others[k - 1].join();
            sum += results[k];
        }
        return sum;
    }

    std::size_t n_, threads_;
    double *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
};

}  // namespace

std::unique_ptr<stream_arrays> make_loop_stream(std::size_t n, int threads) {
    return std::make_unique<loop_stream>(n, threads);
}
