// enum class op and what the table says of each: expanded from ops.def, nothing is listed by hand but the structural
// opcodes that are no functions of values (a leaf, a cast, a view, ...). Shared by the headers, the planner and the engines.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "frit/dtype.hpp"

namespace frit::inline v0 {

enum class op : std::uint8_t {
#define FRIT_OP(name, ...) name,
#include "frit/ops.def"
#define FRIT_REDUCTION(name, ...) name,
#include "frit/ops.def"
#define FRIT_LIBRARY(name, ...) name,
#include "frit/ops.def"
#define FRIT_SCATTER(name) name,
#include "frit/ops.def"
#define FRIT_INNER_LIBRARY(name, ...) name,
#include "frit/ops.def"
// running values in a kernel, of elements in the order of a row
#define FRIT_SCAN(name, ...) running_##name,
#include "frit/ops.def"
    // structural opcodes of statement programs
    leaf,      // the next array leaf
    scalar,    // the next scalar parameter
    cast,      // to the instruction's dtype
    bit_cast,  // the same bits, as a number of the instruction's dtype, which has as many
    view,      // the next attribute (an access map) applied to the top of the stack
    update,    // base, value: base with the region of the next attribute replaced by value
    coord,     // an index of the domain, from the next attribute: arange, masks, eye
    axes,      // the reduction that follows goes over the axes that the next attribute names, not over all
    index,     // the top of the stack, integers, says where a gather reads. In graphs and kernels: the index and the extent
               // that it is checked against; negative ones count from the end
    gather,    // base, indices: the elements of the base that they and the next attribute name. In graphs: memory and the
               // number of an element in it; in kernels: that number, and which pointer word
    iterate,   // how often at most, the states before, what else a round reads, as many as the next attribute says: one of
               // the states after the last round. In kernels: how many rounds there were (see kernel_spec.hpp)
    scan_along,  // the states before, what else a step reads, as many as the next attribute says: one of the states behind
                 // each element along an axis. In kernels: a step, once an element (see kernel_spec.hpp)
    call,        // arrays, then numbers, as many as the next attribute says: one of the results of what a library, or the
                 // program itself, runs on them. Of the first result alone: another result of that call
    parameter,   // a state of a loop in the formula of its step, of the next attribute's shape
    // opcodes of graphs and kernels
    search_left,   // memory, a value, n: how many of the first n elements, which are sorted, are less than the value, NaN
                   // last; in kernels: the value, n, and which pointer word
    search_right,  // how many are not greater
    // of programs with operands of run-time dtype; recorded statements have none of them
    weak,     // the next scalar parameter: a C++ number whose dtype the operands beside it decide
    convert,  // to the dtype that the next scalar parameter names, if its rule allows it (see conversion)
    // opcodes that only kernel specs know
    load,   // an element of an input
    total,  // the value of a reduction, in row code
    row,    // a value of the row code, in a body
    feed,   // one more operand of an iterate or a scan_along
    state,  // one of its states afterwards
};

enum class op_form : std::uint8_t { INFIX, PREFIX, CALL, HIDDEN };
enum class op_types : std::uint8_t { NUM, FLT, INT, ANY, PARTS, COMPLEX, SHORT, WORD };
enum class op_result : std::uint8_t { SAME, BOOL, SELECT, SUM, INDEX, COMPLEX, REAL, IMAG };
enum class op_algebra : std::uint8_t { PLAIN, COMMUTES };
enum class reduction_kind : std::uint8_t { PLAIN, INDEX, DEVIATIONS, PAIR, LAST };
enum class reduction_identity : std::uint8_t { ZERO, ONE, LOWEST, HIGHEST };
enum class on_bool_rule : std::uint8_t { error, widen, self, other };

/// One row of the table, as data.
struct op_info {
    std::string_view name;   ///< "add"
    std::string_view token;  ///< as the user writes it: "+"
    op_form form;
    op_types types;
    op_result result;
    op_algebra algebra;
    on_bool_rule on_bool;
    op on_bool_op;  ///< meaningful where on_bool is other
    std::uint8_t arity;
    std::uint16_t cost;
    std::string_view spelling;
    double lo, hi, ulp;
};

struct reduction_info {
    std::string_view name;
    reduction_kind kind;
    op combine;
    reduction_identity identity;
    op_result result;
};

struct library_info {
    std::string_view name;
    std::uint8_t result;  ///< which of its call's results
    std::uint8_t arity;
    op_result type;
    std::uint8_t promoted;  ///< how many of its operands, the first ones, are promoted: ranks are int64 whatever they rank
};

/// Running values: of which reduction, whether of an element's own value too, and the function that gives them.
struct scan_info {
    op library;
    op running;
    bool exclusive;
};

namespace detail {
constexpr int count_ops = 0
#define FRIT_OP(...) +1
#include "frit/ops.def"
    ;
constexpr int count_reductions = 0
#define FRIT_REDUCTION(...) +1
#include "frit/ops.def"
    ;
constexpr int count_library_ops = 0
#define FRIT_LIBRARY(...) +1
#include "frit/ops.def"
    ;
constexpr int count_scatters = 0
#define FRIT_SCATTER(...) +1
#include "frit/ops.def"
    ;
// The on_bool column is either one of three rules or the name of another op: both spellings become constants here.
struct on_bool_column {
    on_bool_rule rule;
    op other;
    constexpr on_bool_column(on_bool_rule r) : rule(r), other(op::leaf) {}
    constexpr on_bool_column(op o) : rule(on_bool_rule::other), other(o) {}
};
namespace on_bool_names {
using enum op;
inline constexpr on_bool_rule error = on_bool_rule::error, widen = on_bool_rule::widen, self = on_bool_rule::self;
inline constexpr op_info ops[] = {
#define FRIT_OP(name, arity, form, token, types, on_bool, result, algebra, cost, spelling, lo, hi, ulp) \
    {#name,                                                                                             \
     #token,                                                                                            \
     op_form::form,                                                                                     \
     op_types::types,                                                                                   \
     op_result::result,                                                                                 \
     op_algebra::algebra,                                                                               \
     on_bool_column(on_bool).rule,                                                                      \
     on_bool_column(on_bool).other,                                                                     \
     arity,                                                                                             \
     cost,                                                                                              \
     #spelling,                                                                                         \
     lo,                                                                                                \
     hi,                                                                                                \
     ulp},
#include "frit/ops.def"
};
}  // namespace on_bool_names
/// What an op makes of complex operands; SUM, which none does: it takes none.
inline constexpr auto of_complex = [] {
    std::array<op_result, static_cast<std::size_t>(op::leaf)> of{};
    of.fill(op_result::SUM);
#define FRIT_OF_COMPLEX(name, result) of[static_cast<std::size_t>(op::name)] = op_result::result;
#include "frit/ops.def"
    return of;
}();
/// What an elementwise op is of 16-bit operands.
inline constexpr auto of_short = [] {
    std::array<op, count_ops> of{};
    for (int k = 0; k < count_ops; ++k) of[static_cast<std::size_t>(k)] = static_cast<op>(k);
#define FRIT_OF_SHORT(name, form) of[static_cast<std::size_t>(op::name)] = op::form;
#include "frit/ops.def"
    return of;
}();
#define FRIT_OF_SHORT(name, form)                                                                                         \
    static_assert(                                                                                                        \
        on_bool_names::ops[static_cast<int>(op::name)].spelling ==                                                        \
                on_bool_names::ops[static_cast<int>(op::form)].spelling &&                                                \
            on_bool_names::ops[static_cast<int>(op::name)].token == on_bool_names::ops[static_cast<int>(op::form)].token, \
        "ops.def: " #form " must be spelled as " #name);
#include "frit/ops.def"
inline constexpr reduction_info reductions[] = {
#define FRIT_REDUCTION(name, kind, combine, identity, result) \
    {#name, reduction_kind::kind, op::combine, reduction_identity::identity, op_result::result},
#include "frit/ops.def"
};
inline constexpr library_info library_ops[] = {
#define FRIT_LIBRARY(name, call, result, arity, type) {#name, result, arity, op_result::type, arity},
#define FRIT_SCAN(name, running, own, type) {#name, 0, 1, op_result::type, 1},
#include "frit/ops.def"
#define FRIT_SCATTER(name) {#name, 0, 3, op_result::SAME, 3},
#include "frit/ops.def"
#define FRIT_INNER_LIBRARY(name, call, result, arity, type) {#name, result, arity, op_result::type, arity},
#define FRIT_PICKED(name, call, result, arity, type) {#name, result, arity, op_result::type, 1},
#include "frit/ops.def"
};
inline constexpr bool INCLUDED = false, EXCLUDED = true;
inline constexpr scan_info scans[] = {
#define FRIT_SCAN(name, running, own, type) {op::name, op::running, own},
#include "frit/ops.def"
};
}  // namespace detail

/// Whether it puts values at indices of an array.
constexpr bool is_scatter(op o) {
    constexpr int first = detail::count_ops + detail::count_reductions + detail::count_library_ops;
    return static_cast<int>(o) >= first && static_cast<int>(o) < first + detail::count_scatters;
}
/// Whether an instruction of a statement takes the next attribute.
constexpr bool has_attribute(op o) {
    return o == op::view || o == op::update || o == op::coord || o == op::axes || o == op::gather || o == op::iterate ||
           o == op::scan_along || o == op::call || o == op::parameter || is_scatter(o);
}

/// Whether it is a binary search in memory.
constexpr bool is_search(op o) { return o == op::search_left || o == op::search_right; }
/// Whether its first operand in a graph is memory, of which the others say what is read.
constexpr bool looks_up(op o) { return o == op::gather || is_search(o); }
constexpr bool is_elementwise(op o) { return static_cast<int>(o) < detail::count_ops; }
/// Whether it makes each element of one of another dtype.
constexpr bool is_conversion(op o) { return o == op::cast || o == op::bit_cast; }
constexpr bool is_reduction(op o) {
    return static_cast<int>(o) >= detail::count_ops && static_cast<int>(o) < detail::count_ops + detail::count_reductions;
}
constexpr bool is_library(op o) {
    if (o == op::call) return true;
    constexpr int first = detail::count_ops + detail::count_reductions;
    return static_cast<int>(o) >= first && static_cast<int>(o) < first + static_cast<int>(std::size(detail::library_ops));
}
/// Whether it gives running values of a row of the table in a kernel.
constexpr bool is_cumulative(op o) {
    constexpr int first = detail::count_ops + detail::count_reductions + static_cast<int>(std::size(detail::library_ops));
    return static_cast<int>(o) >= first && o < op::leaf;
}
/// Whether it gives running values in a kernel: what an element has, the next one waits for.
constexpr bool is_running(op o) { return is_cumulative(o) || o == op::scan_along; }
/// The table's row of running values in a kernel.
constexpr const scan_info& scan_of(op running) {
    return detail::scans[static_cast<int>(running) - static_cast<int>(op::leaf) +
                         static_cast<int>(std::size(detail::scans))];
}
/// The running values in a kernel that this function gives.
constexpr op running_in_kernel(op library) {
    std::size_t k = 0;
    while (detail::scans[k].library != library) ++k;
    return static_cast<op>(static_cast<std::size_t>(op::leaf) - std::size(detail::scans) + k);
}
/// Whether it is a function of running values.
constexpr bool is_scan(op o) {
    for (const scan_info& s : detail::scans)
        if (s.library == o) return true;
    return false;
}
/// Which reduction a function of running values is of.
constexpr op reduction_of_scan(op library) { return scan_of(running_in_kernel(library)).running; }
/// The table's row of an elementwise op.
constexpr const op_info& info(op o) { return detail::on_bool_names::ops[static_cast<int>(o)]; }
/// The op itself, or the one that has as many digits as results of 16 bits need.
constexpr op short_form(op o) { return detail::of_short[static_cast<std::size_t>(o)]; }
/// The table's row of a reduction.
constexpr const reduction_info& reduction(op o) { return detail::reductions[static_cast<int>(o) - detail::count_ops]; }
/// Whether a reduction takes places beside values, and gives one: argmin, argmax.
constexpr bool takes_places(op o) { return reduction(o).result == op_result::INDEX; }
/// Whether it picks one of its elements by their order.
constexpr bool is_ordered(op o) {
    return reduction(o).identity == reduction_identity::LOWEST || reduction(o).identity == reduction_identity::HIGHEST;
}
/// Whether it takes a second value of each element: the place of it, or an imaginary part.
constexpr bool takes_pairs(op o) {
    return takes_places(o) || reduction(o).kind == reduction_kind::PAIR || reduction(o).kind == reduction_kind::LAST;
}
/// The table's row of an op that a library runs, scatters among them; op::call has none.
constexpr const library_info& library(op o) {
    return detail::library_ops[static_cast<int>(o) - detail::count_ops - detail::count_reductions];
}

/// The operands of an elementwise op or a library's.
constexpr std::size_t arity_of(op o) { return is_library(o) ? library(o).arity : info(o).arity; }

constexpr std::string_view name_of(op o) {
    if (is_elementwise(o)) return info(o).name;
    if (is_reduction(o)) return reduction(o).name;
    if (is_library(o) && o != op::call) return library(o).name;
    if (is_cumulative(o)) return library(scan_of(o).library).name;
    constexpr std::string_view structural[] = {"leaf",  "scalar",    "cast",        "bit_cast",     "view",    "update",
                                               "coord", "axes",      "index",       "gather",       "iterate", "scan_along",
                                               "call",  "parameter", "search_left", "search_right", "weak",    "convert",
                                               "load",  "total",     "row",         "feed",         "state"};
    return structural[static_cast<int>(o) - static_cast<int>(op::leaf)];
}

/// Whether an op takes operands of a dtype as far as that is real or complex.
constexpr bool takes(op o, dtype operand) {
    return !is_complex(operand) || detail::of_complex[static_cast<std::size_t>(o)] != op_result::SUM;
}

/// How an op treats operand dtypes.
struct op_dtypes {
    op code;        ///< the op to use instead (bool operands: add becomes bit_or)
    dtype operand;  ///< what the operands are cast to (where: its second and third; the first is bool)
    dtype result;
    bool valid;  ///< false: the op does not take these dtypes
};

/// Applies the table's rules to the promoted dtype of the operands (where: of its second and third).
constexpr op_dtypes resolve(op o, dtype promoted) {
    const op_info& row = info(o);
    op_dtypes r{o, promoted, promoted, true};
    if (promoted == detail::run_time) {  // the rest is asked again when the dtype is known
        if (row.result == op_result::BOOL) r.result = dtype::bool_;
        return r;
    }
    if (is_complex(promoted)) {
        const op_result of = detail::of_complex[static_cast<std::size_t>(o)];
        r.valid = takes(o, promoted);
        r.result = of == op_result::BOOL ? dtype::bool_ : of == op_result::REAL ? real_dtype(promoted) : promoted;
        return r;
    }
    if (row.types == op_types::COMPLEX || (row.types == op_types::SHORT && promoted != dtype::f32) ||
        (row.types == op_types::WORD && promoted != dtype::u64))
        r.valid = false;
    const bool floating = row.types == op_types::FLT || row.types == op_types::PARTS;
    if (promoted == dtype::bool_ && !floating) {
        if (row.on_bool == on_bool_rule::error) r.valid = false;
        if (row.on_bool == on_bool_rule::widen) r.operand = r.result = dtype::i32;
        if (row.on_bool == on_bool_rule::other) r.code = row.on_bool_op;
    } else if (floating) {
        r.operand = r.result = to_floating(promoted);
    } else if (row.types == op_types::INT) {
        if (!is_integer(promoted)) r.valid = false;
    }
    if (row.result == op_result::BOOL) r.result = dtype::bool_;
    if (row.result == op_result::COMPLEX) r.result = complex_dtype(r.operand);
    return r;
}

/// The result dtype of a reduction of `input`.
constexpr dtype reduction_dtype(op o, dtype input) {
    switch (reduction(o).result) {
        case op_result::SUM: return sum_dtype(input);
        case op_result::BOOL: return dtype::bool_;
        case op_result::INDEX: return dtype::i64;
        default: return input;
    }
}

/// The dtype that a library op's operands are cast to, given their promoted dtype, and that of its result.
struct library_dtypes {
    dtype operand, result;
    bool valid;
};
constexpr library_dtypes library_dtypes_of(op o, dtype promoted) {
    const bool valid = promoted == detail::run_time || (is_supported(promoted) && takes(o, promoted));
    if (library(o).type == op_result::INDEX) return {promoted, dtype::i64, valid};
    if (library(o).type == op_result::SUM) promoted = sum_dtype(promoted);
    if (library(o).type == op_result::REAL) return {promoted, real_dtype(promoted), valid};
    if (library(o).type == op_result::COMPLEX && promoted != detail::run_time)
        return {promoted, complex_dtype(promoted), valid};
    return {promoted, promoted, valid};
}

}  // namespace frit::v0
