// The texts of frit's errors, in one house style: "op: what is wrong; shapes (2, 3), (4,); float32, int32 [file:line]".
#include "src/base/errors.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "frit/detail/record.hpp"
#include "frit/device.hpp"

namespace frit::inline v0 {

namespace detail {
namespace {

std::string tuple_of(const integers& list) {
    std::string text = "(";
    for (const std::int64_t& k : list) text += (&k == list.begin() ? "" : ", ") + std::to_string(k);
    return text + (list.end() - list.begin() == 1 ? ",)" : ")");
}

/// Its text stands in it: where there is no memory, none is asked for.
class host_out_of_memory final : public out_of_memory {
public:
    host_out_of_memory(std::string_view who, source_line where) noexcept : out_of_memory("") {
        constexpr std::size_t most = 160;  // of a long path, its end
        const std::size_t length = std::strlen(where.file);
        const char* const file = where.file + (length > most ? length - most : 0);
        const int n = std::snprintf(text_, sizeof text_, "%.*s: out of memory on the host",
                                    static_cast<int>(std::min(who.size(), most / 4)), who.data());
        if (where.line != 0)
            std::snprintf(text_ + n, sizeof text_ - static_cast<std::size_t>(n), " [%s:%d]", file, where.line);
    }
    const char* what() const noexcept override { return text_; }

private:
    char text_[256];
};

template <class List, class Text>
std::string joined(const List& items, Text text) {
    std::string s;
    for (const auto& x : items) s += (s.empty() ? "" : ", ") + std::string(text(x));
    return s;
}

}  // namespace
}  // namespace detail

std::string to_string(const shape& s) try { return detail::tuple_of(s); } catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("shape", detail::unknown_line);
}

namespace detail {

void throw_out_of_memory(std::string_view who, source_line where) { throw host_out_of_memory(who, where); }

std::string place(source_line where) {
    if (where.line == 0) return {};
    return " [" + std::string(where.file) + ":" + std::to_string(where.line) + "]";
}

std::string index_fault(std::int64_t index, std::int64_t extent, std::string_view formula) {
    if (extent == 1 && index > first_endless && index <= first_endless + INT32_MAX)
        return "a loop has not ended after " + std::to_string(index - first_endless) +
               " rounds, the limit that frit::set_loop_limit has set, in " + std::string(formula);
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

void throw_rank(std::size_t rank, source_line where) try {
    throw shape_error("shape: " + std::to_string(rank) + " dimensions, at most " + std::to_string(max_rank) +
                      " are possible" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", where);
}

void throw_impossible(const integers& extents, source_line where) try {
    for (std::int64_t e : extents)
        if (e < 0)
            throw shape_error("shape: an extent is " + std::to_string(e) + ", it must not be negative" + place(where));
    throw shape_error("shape: " + tuple_of(extents) + " has more elements than memory can address" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", where);
}

void throw_no_entry(std::int64_t k, const integers& of) try {
    throw index_error("axis " + std::to_string(k) + " is out of range for rank " + std::to_string(of.end() - of.begin()) +
                      ": " + tuple_of(of));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", unknown_line);
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
