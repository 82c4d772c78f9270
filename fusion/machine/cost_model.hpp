// What work costs, and the choices that rest on it: compute again or store, which form an update takes, how many threads,
// interpreter or compiler. Where a figure was measured it says on what; the others are estimates. benchmarks/alternatives
// shows where the model chooses wrong. Choices change time and traffic, never values.
#pragma once

#include <cstdint>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// One kind of machine, in bytes of its memory traffic.
struct prices {
    double operations_per_byte;      ///< cheap operations on an element that take as long as a byte
    std::int64_t launch_in_bytes;    ///< traffic that takes as long as a launch
    std::uint64_t hidden_each_time;  ///< cheap operations that hide though a value is computed very often, loads apart
    /// Whether a matrix is multiplied by a vector as fast in a kernel as by the library: then the product fuses.
    bool kernel_is_gemv;
    /// Batches of matrices are multiplied in a kernel where results have up to so many rows and columns, and elements up to
    /// so many terms.
    std::int64_t small_sides = 0, small_inner = 0;
};
/// Estimates: a call into a kernel takes as long as 0.2 us of traffic at 20 GB/s. OpenBLAS's gemv takes 0.5 to 1.2 of
/// a compiled kernel's time, and 0.25 to 1 of an interpreted one's (1e4 to 1.6e7 elements, both orders, 1 and 2 threads).
inline constexpr prices cpu_prices{
    .operations_per_byte = 4, .launch_in_bytes = 4096, .hidden_each_time = 16, .kernel_is_gemv = false};
/// An elementwise kernel of this much traffic takes as long as queueing it: 2.9 us of host time at 4.2 TB/s (H200).
/// Arithmetic that traffic hides: about ten float32 operations a byte on the GPUs of the last generations. A row sum keeps
/// 0.9 and more of the bandwidth busy, cuBLAS's gemv 0.68 (H200, matrices of a power iteration). A product of 8192 x 8192
/// with a vector takes 61.2 us there, with the vector's product with a number 61.2, with its quotient by one 74.1. Of a
/// batch cuBLAS takes 1.5 ns for each matrix of 4 x 4, 1.9 of 8 x 8, 2.7 of 16 x 16, where memory would take 0.05, 0.18 and
/// 0.7, and a kernel 0.11 and 0.42 of the first two (H200); with 16 terms it would take as much by its instructions.
inline constexpr prices cuda_prices{.operations_per_byte = 10,
                                    .launch_in_bytes = 12'000'000,
                                    .hidden_each_time = 3,
                                    .kernel_is_gemv = true,
                                    .small_sides = 16,
                                    .small_inner = 8};

// --- the planner's choices ---
/// An element read at a computed place, in cheap operations: few of them lie in cache lines that others have read.
inline constexpr std::uint32_t cost_of_gather = 16;
/// One state of a loop, for the planner: never computed twice, and few enough that a kernel has room for all states of one.
inline constexpr std::uint32_t cost_of_state = 100;
/// A whole loop of unknown length, for the generators: nothing around it is worth unrolling or computing again.
inline constexpr std::uint32_t cost_of_loop = 1000;
/// A binary search in a vector that caches hold.
inline constexpr std::uint32_t cost_of_search = 200;
/// A running value: what it waits for is the one before.
inline constexpr std::uint32_t cost_of_running = 4;
/// What an op costs, of one element, in cheap operations: the table's, or that of a step which no table has.
std::uint32_t cost_of(op);
/// So much work per element hides behind traffic, unless it is done very often.
bool is_free(std::uint64_t operations);
/// Whether work on an element, its loads apart, is too much for being done so many times, by elements that have it in
/// common.
bool is_too_often(const prices&, std::uint64_t operations, std::int64_t times);
/// A value that is read in several places: whether to compute it in each rather than store it.
/// @param operations   for one element, its loads among them
/// @param evaluations  of elements, beyond once each
/// @param bytes        of the value in memory
bool pays_to_recompute(const prices&, std::uint64_t operations, std::int64_t evaluations, std::int64_t bytes);
/// An update: whether to write its region alone, in `passes` passes of a launch each, rather than the whole base in a kernel
/// that runs anyway.
/// @param extra  bytes that must be read or written beside, so that the region can be written in place
bool pays_to_write_region(const prices&, int passes, std::int64_t region_bytes, std::int64_t base_bytes, std::int64_t extra);
/// What is expected to bound a kernel's time.
enum class bound : std::uint8_t { launch, memory, arithmetic };
bound bound_of(const prices&, double bytes, double operations);

// --- the CPU's choices ---
/// Cost of an op from which its value is kept for a row's next pass: a trip through the cache takes less.
inline constexpr int cost_worth_keeping = 16;
/// Rough nanoseconds of one element, its data in cache, on one thread: the table's costs at the rate of vector code; what an
/// interpreter pays for every step besides, a trip through L1; and the traffic.
double cpu_nanoseconds(const kernel_spec&, bool interpreted, int vector_bytes);
/// A step of a recurrence takes as long as this estimate of so many elements, besides those of its rows side by side. (A
/// filter of two states and three operations takes the interpreter 117 ns a step and 2.4 ns an element.)
inline constexpr std::int64_t elements_of_a_step = 256;
/// Tasks that `nanoseconds` of work on one thread are worth; 1: no second thread.
/// @param awake  the other threads look for work, so that handing it over takes no waking
std::int64_t worth_tasks(double nanoseconds, int threads, bool awake);
/// Results of so many bytes, in lines of so many, that are not overwritten operands are stored past the caches: none would
/// hold them, and a normal store reads what it replaces. Of numbers, or of values of the loop IR.
template <class Bytes>
auto are_far(Bytes bytes, Bytes line) {
    return bytes >= (std::int64_t{16} << 20) && line >= std::int64_t{1024};
}
/// Estimates, nanoseconds on one thread: an element of a sort, of a selection; of running values or a library call over
/// rows; a multiplication and addition of a product of matrices without BLAS; a call of LAPACK, whatever it does.
inline constexpr double sorted_element = 5, selected_element = 2, scanned_element = 1.2, multiplication = 0.15,
                        lapack_call = 1000;
/// The same of a scatter's value: where the element is near; of passing it by, since the element is another thread's. From
/// memory an element takes several times that, so it takes several threads to gain.
inline constexpr double scattered_element = 1, passed_element = 1.5;
/// In elements that are copied, estimates: what a kernel costs that copies none, before a contraction's product of matrices,
/// and what one of these costs beside the others of its batch.
inline constexpr double kernel_in_copies = 2000, product_in_copies = 200;
/// A convolution of so many `taps` for each of `results` elements: whether three transforms of `transformed` elements are
/// quicker than sums of slices, or, where windows are gathered, than sums of those. Measured on two cores with AVX-512 and
/// FFTW, of float32 and float64 (frit's own transforms take up to twice as long): vectors of 10^3 to 10^6 elements and 8 to
/// 512 taps, matrices of 64^2 to 1024^2 and 3^2 to 15^2. Where it is near, sums are kept, which are exacter.
bool pays_to_transform(std::int64_t results, std::int64_t taps, int rank, bool gathered, std::int64_t transformed);
/// Nanoseconds lost to the interpreter by which a kernel is worth a look at the disk, and a compilation: about what that
/// takes (LLVM in this process 7 to 40 ms, a run of $CXX 0.3 s).
enum class compiler : std::uint8_t { llvm, cxx };
inline constexpr double worth_a_look = 5e6;
constexpr double worth_compiling(compiler by) { return by == compiler::llvm ? 3e7 : 3e8; }

}  // namespace frit::v0::fusion
