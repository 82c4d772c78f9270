// Looking inside: what an evaluation would do, why, and what has been done so far.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/eval.hpp"

namespace frit::inline v0 {

/// A kernel of a plan.
class planned_kernel {
public:
    /// @cond
    planned_kernel(std::string name, std::string source, std::uint64_t bytes_read, std::uint64_t bytes_written,
                   double operations, std::string_view bound)
        : name_(std::move(name)),
          source_(std::move(source)),
          bound_(bound),
          bytes_read_(bytes_read),
          bytes_written_(bytes_written),
          operations_(operations) {}
    /// @endcond
    /// Its schedule and what it computes.
    const std::string& name() const noexcept { return name_; }
    /// The generated text; for the interpreter, the instructions it walks.
    const std::string& source() const noexcept { return source_; }
    /// Distinct bytes.
    std::uint64_t bytes_read() const noexcept { return bytes_read_; }
    /// Distinct bytes.
    std::uint64_t bytes_written() const noexcept { return bytes_written_; }
    /// Cheap operations (an addition is one, an accurate transcendental some 50), every pass over a row counted.
    double operations() const noexcept { return operations_; }
    /// What is expected to bound its time: "memory", "arithmetic", or "the launch" where there is little of both.
    const std::string& bound() const noexcept { return bound_; }

private:
    std::string name_, source_, bound_;
    std::uint64_t bytes_read_, bytes_written_;
    double operations_;
};

/// A call of a library (cuBLAS, CUB, OpenBLAS) in a plan.
class planned_call {
public:
    /// @cond
    planned_call(std::string name, std::uint64_t bytes_read, std::uint64_t bytes_written)
        : name_(std::move(name)), bytes_read_(bytes_read), bytes_written_(bytes_written) {}
    /// @endcond
    /// What it computes, and the shape of its result: "matmul (128, 64)".
    const std::string& name() const noexcept { return name_; }
    /// The least: every operand once.
    std::uint64_t bytes_read() const noexcept { return bytes_read_; }
    /// The least: the result once.
    std::uint64_t bytes_written() const noexcept { return bytes_written_; }

private:
    std::string name_;
    std::uint64_t bytes_read_, bytes_written_;
};

namespace detail {
/// What the planner fills in.
struct plan_data {
    std::vector<planned_kernel> kernels;
    std::vector<planned_call> library_calls;
    std::uint64_t peak_bytes = 0;
    std::string dot;
};
}  // namespace detail

/// A report on an evaluation: it plans, runs nothing and holds nothing.
class plan {
public:
    /// @cond
    explicit plan(detail::plan_data data) : data_(std::move(data)) {}
    /// @endcond
    /// The kernels, in the order in which they would run.
    const std::vector<planned_kernel>& kernels() const& noexcept { return data_.kernels; }
    /// The calls of libraries, in order.
    const std::vector<planned_call>& library_calls() const& noexcept { return data_.library_calls; }
    /// Of a temporary: for (auto& k : make_plan(x).kernels()) is fine.
    std::vector<planned_kernel> kernels() && noexcept { return std::move(data_.kernels); }
    /// Of a temporary.
    std::vector<planned_call> library_calls() && noexcept { return std::move(data_.library_calls); }
    /// Of all kernels and calls.
    std::uint64_t bytes_read() const noexcept {
        std::uint64_t n = 0;
        for (const planned_kernel& k : data_.kernels) n += k.bytes_read();
        for (const planned_call& c : data_.library_calls) n += c.bytes_read();
        return n;
    }
    /// Of all kernels and calls.
    std::uint64_t bytes_written() const noexcept {
        std::uint64_t n = 0;
        for (const planned_kernel& k : data_.kernels) n += k.bytes_written();
        for (const planned_call& c : data_.library_calls) n += c.bytes_written();
        return n;
    }
    /// The most memory that results and intermediates take at one time.
    std::uint64_t peak_bytes() const noexcept { return data_.peak_bytes; }
    /// The graph and its groups for Graphviz.
    const std::string& to_dot() const noexcept { return data_.dot; }
    /// That picture as a file: .svg, .png or .pdf through Graphviz's program dot, .dot as text.
    /// @throws io_error naming the file, or dot where it is missing
    FRIT_API void save(const std::string& file) const;

private:
    detail::plan_data data_;
};

/// The plan of evaluating these arrays and recipes together.
template <detail::operand... A>
requires(sizeof...(A) > 0) plan make_plan(const A&... x) {
    const detail::node_list<sizeof...(A)> list(detail::unknown_line, x...);
    return detail::make_plan(list.nodes, detail::unknown_line);
}
/// The same for the arrays of a range.
template <detail::array_range R>
plan make_plan(const R& arrays, source_line where = {}) {
    return detail::make_plan(detail::nodes_of(arrays), where);
}
/// The picture of that plan as a file, see plan::save.
template <detail::operand... A>
requires(sizeof...(A) > 0) void save_plan(const std::string& file, const A&... x) { make_plan(x...).save(file); }
/// The same in words: groups, bytes, and the reason for every cut.
template <detail::operand... A>
requires(sizeof...(A) > 0) std::string explain(const A&... x) {
    const detail::node_list<sizeof...(A)> list(detail::unknown_line, x...);
    return detail::explain(list.nodes, detail::unknown_line);
}
/// The same for the arrays of a range.
template <detail::array_range R>
std::string explain(const R& arrays, source_line where = {}) {
    return detail::explain(detail::nodes_of(arrays), where);
}

/// What the process has done since it started or since reset_stats().
struct counters {
    std::uint64_t kernels_launched = 0;      ///< generated kernels that ran
    std::uint64_t library_calls = 0;         ///< calls of cuBLAS, CUB, OpenBLAS and the standard library's algorithms
    std::uint64_t compilations = 0;          ///< compiles that were asked for
    std::uint64_t plans_built = 0;           ///< evaluations that were planned anew
    std::uint64_t plans_reused = 0;          ///< evaluations that a plan was ready for
    std::uint64_t disk_hits = 0;             ///< kernels that came from the cache on disk
    std::uint64_t bundle_hits = 0;           ///< kernels that came from a bundle (load_kernels)
    std::uint64_t bytes_read = 0;            ///< by kernels and calls: distinct bytes of each
    std::uint64_t bytes_written = 0;         ///< by kernels and calls: distinct bytes of each
    std::uint64_t host_to_device_bytes = 0;  ///< copied to GPUs
    std::uint64_t device_to_host_bytes = 0;  ///< copied from GPUs
    std::uint64_t live_bytes = 0;            ///< of arrays, now
    std::uint64_t peak_bytes = 0;            ///< the most there were of those
    std::uint64_t pending_nodes = 0;         ///< recorded statements that wait, now
    std::uint64_t kernels_interpreted = 0;   ///< of those that ran, by the CPU's interpreter
    std::uint64_t kernels_compiled = 0;      ///< of those that ran, as compiled code, on the CPU for the CPU
};
/// The counts of the process, all threads together.
FRIT_API counters stats();
/// Counts from zero again; peak_bytes from what is live.
FRIT_API void reset_stats();

}  // namespace frit::v0
