// The texts of frit's errors, in one house style: "op: what is wrong; shapes (2, 3), (4,); float32, int32 [file:line]".
#include "src/base/errors.hpp"

#include <atomic>
#include <functional>
#include <memory>

#include "frit/detail/record.hpp"
#include "frit/device.hpp"

namespace frit::inline v0 {

namespace detail {
namespace {

template <class List, class Text>
std::string joined(const List& items, Text text) {
    std::string s;
    for (const auto& x : items) s += (s.empty() ? "" : ", ") + std::string(text(x));
    return s;
}

struct fault_text {
    data_fault fault;
    std::string_view text;
};
constexpr fault_text texts_of_faults[] = {
    {data_fault::weights, "choice: a weight is negative, infinite or NaN, or all are 0"},
    {data_fault::integer_bounds, "integers: the dtype does not hold a bound that an array has"},
};

constexpr std::int64_t first_endless = -0x6c6f6f0000000000, most_names = 4096;
constexpr int bits_of_rounds = 31;
/// Names of functions whose loops have limits, each at the place that its hash has, or behind it. None is the first.
constinit std::atomic<const std::string*> endless_names[most_names] = {};

std::string endless_fault(std::uint64_t index) {
    const std::string* const name = endless_names[index >> bits_of_rounds].load(std::memory_order_acquire);
    return (name ? *name + ": " : std::string()) + "a loop has not ended after " +
           std::to_string(index % (std::uint64_t{1} << bits_of_rounds)) + " rounds, the limit of frit::set_loop_limit";
}

}  // namespace

std::int64_t index_of_endless(std::string_view function, std::int32_t rounds) {
    const std::size_t hash = std::hash<std::string_view>()(function) % most_names;
    std::size_t at = 0;
    for (int tries = 0; tries < 8; ++tries) {
        at = 1 + (hash + static_cast<std::size_t>(tries)) % (most_names - 1);
        const std::string* known = endless_names[at].load(std::memory_order_acquire);
        if (!known) {
            auto fresh = std::make_unique<const std::string>(function);
            if (endless_names[at].compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel))
                known = fresh.release();
        }
        if (*known == function) break;
        at = 0;
    }
    return first_endless + (static_cast<std::int64_t>(at) << bits_of_rounds) + rounds;
}

std::string index_fault(std::int64_t index, std::int64_t extent, std::string_view formula) {
    if (extent == 1 && index >= first_endless && index < first_endless + (most_names << bits_of_rounds))
        return endless_fault(static_cast<std::uint64_t>(index - first_endless)) + ", in " + std::string(formula);
    for (const auto& [fault, text] : texts_of_faults)
        if (extent == 1 && index == index_of(fault)) return std::string(text) + ", in " + std::string(formula);
    return "index " + std::to_string(index) + " is out of range for an axis with extent " + std::to_string(extent) +
           ", in " + std::string(formula);
}

std::string matrix_fault(std::string_view who, std::int64_t matrix, std::string_view problem, const shape& of, dtype type) {
    std::string which = "the matrix";
    if (of.rank() > 2) {
        std::string at;
        for (int axis = of.rank() - 2; axis-- > 0; matrix /= of[axis])
            at = std::to_string(matrix % of[axis]) + (at.empty() ? "" : ", ") + at;
        which = "matrix (" + at + ") of the batch";
    }
    return std::string(who) + ": " + which + " " + std::string(problem) + "; shape " + to_string(of) + "; " +
           std::string(name_of(type));
}

void throw_shape_error(std::string_view op, std::string_view text, std::span<const shape> shapes, source_line where) try {
    std::string s = std::string(op) + ": " + std::string(text);
    if (!shapes.empty()) s += "; shapes " + joined(shapes, [](const shape& x) { return to_string(x); });
    throw shape_error(s + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op, where);
}

void throw_dtype_error(std::string_view op, std::string_view text, std::span<const dtype> types, source_line where) try {
    std::string s = std::string(op) + ": " + std::string(text);
    if (!types.empty()) s += "; " + joined(types, [](dtype t) { return name_of(t); });
    throw dtype_error(s + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op, where);
}

void throw_index_error(std::string_view op, std::string_view text, const shape& of, source_line where) try {
    throw index_error(std::string(op) + ": " + std::string(text) + "; shape " + to_string(of) + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op, where);
}

void throw_ordinal(std::int64_t ordinal, source_line where) try {
    throw device_error("device::cuda: no GPU has the number " + std::to_string(ordinal) + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("device::cuda", where);
}

void throw_empty(std::string_view who, dtype type, source_line where) try {
    std::string s = std::string(who) + ": an operand is an empty array";
    if (type != run_time) s += " (" + std::string(name_of(type)) + ")";
    throw error(s + ": it was never given a value, or was released" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

void throw_other_dtype(std::string_view who, dtype is, dtype asked, source_line where) try {
    throw dtype_error(std::string(who) + ": the array is of " + std::string(name_of(is)) + ", not of " +
                      std::string(name_of(asked)) + ": " + std::string(who) + " gives it as it is, cast converts it" +
                      place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

void throw_handle_gone(source_line where) try {
    throw error("assignment through a view whose array is gone or empty" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("assign", where);
}

void throw_ragged(const shape& expected, source_line where) try {
    throw shape_error("array: nested values are ragged; every list must have the extents " + to_string(expected) +
                      place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("array", where);
}

std::string_view shown_name(op code) {
    if (!is_elementwise(code)) return name_of(code);
    return info(code).form == op_form::CALL ? info(code).name : info(code).token;
}

/// The op whose scalar does not fit.
static std::string_view op_of(const scalar_bits& misfit) {
    const op code = static_cast<op>(misfit.high >> 2);
    return code == op::scalar ? "array" : code == op::update ? "assign" : shown_name(code);
}

void throw_scalar_range(const scalar_bits& misfit, dtype type, source_line where, const char* who) try {
    const bool negative = (misfit.high & 2) != 0;
    const std::string value = negative ? std::to_string(static_cast<std::int64_t>(misfit.low)) : std::to_string(misfit.low);
    throw dtype_error(std::string(who ? who : op_of(misfit)) + ": the integer " + value + " does not fit " +
                      std::string(name_of(type)) + "; cast the array to a wider dtype" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who ? who : op_of(misfit), where);
}

void throw_element_count(std::string_view op, const shape& s, std::size_t given, source_line where) try {
    throw shape_error(std::string(op) + ": shape " + to_string(s) + " has " + std::to_string(s.size()) + " elements, not " +
                      std::to_string(given) + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op, where);
}

void throw_assigned_shape(const shape& base, const shape& value, source_line where) try {
    throw shape_error("assign: an assignment may not change the shape; shapes " + to_string(base) + ", " + to_string(value) +
                      place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("assign", where);
}

}  // namespace detail
}  // namespace frit::v0
