// docs/reference/ops.md and dtypes.md, made from the op table and the dtypes, so that they cannot say anything else; and the
// list of environment variables in the README. After a change of either: ./dev docs, or FRIT_UPDATE_GOLDEN=1 frit_test_docs
// --gtest_filter='Reference.*'.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/expect_file.hpp"

namespace {
using frit::dtype;
using frit::op;
using frit::op_form;
using frit::op_info;

constexpr dtype every_dtype[] = {
#define FRIT_X(name, ...) dtype::name,
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
};
constexpr std::string_view cpp_names[] = {
#define FRIT_X(name, type, ...) #type,
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
};
constexpr std::string_view kind_names[] = {
#define FRIT_X(name, type, kind, ...) #kind,
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
};
std::vector<dtype> computed_dtypes() {
    std::vector<dtype> list;
    std::copy_if(std::begin(every_dtype), std::end(every_dtype), std::back_inserter(list), frit::is_supported);
    return list;
}

/// A Markdown table, row by row. Bars inside code need a backslash there.
class table {
public:
    explicit table(const std::vector<std::string>& head) {
        row(head);
        row(std::vector<std::string>(head.size(), "---"));
    }
    void row(const std::vector<std::string>& cells) {
        for (const std::string& cell : cells) {
            text_ += "| ";
            for (char c : cell) text_ += c == '|' ? "\\|" : std::string(1, c);
            text_ += " ";
        }
        text_ += "|\n";
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }
std::string name(dtype t) { return std::string(frit::name_of(t)); }
std::string shortest(double x) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// The names of all dtypes that the engines compute with, as the head of a table.
std::vector<std::string> dtype_head(const std::string& first) {
    std::vector<std::string> head{first};
    for (dtype t : computed_dtypes()) head.push_back(name(t));
    return head;
}

/// Rows whose cells are alike become one row that names them all. The order is that of each group's first name.
std::string grouped(const std::string& first, const std::vector<std::pair<std::string, std::vector<std::string>>>& rows) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const auto& [who, cells] : rows) {
        const auto same =
            std::find_if(groups.begin(), groups.end(), [&cells = cells](const auto& g) { return g.second == cells; });
        if (same == groups.end())
            groups.emplace_back(code(who), cells);
        else
            same->first += " " + code(who);
    }
    table t(dtype_head(first));
    for (auto& [who, cells] : groups) {
        cells.insert(cells.begin(), who);
        t.row(cells);
    }
    return t.text();
}

std::string as_written(const op_info& row) {
    const std::string token(row.token);
    if (row.form == op_form::PREFIX) return code(token + "a");
    if (row.form == op_form::INFIX) return code("a " + token + " b");
    return code(token + (row.arity == 1 ? "(a)" : row.arity == 2 ? "(a, b)" : "(a, b, c)"));
}

/// The spelling of the table without its marks: FN(exp)(a) is exp(a), K(1) is 1.
std::string computed(const op_info& row) {
    std::string s(row.spelling);
    for (const std::string_view mark : {"FN(", "K("})
        for (std::size_t at; (at = s.find(mark)) != std::string::npos;) {
            s.erase(s.find(')', at), 1);
            s.erase(at, mark.size());
        }
    return s;
}

std::string on_bool(const op_info& row) {
    if (row.types == frit::op_types::FLT) return "as " + name(frit::to_floating(dtype::bool_));
    switch (row.on_bool) {
        case frit::on_bool_rule::error: return "does not compile";
        case frit::on_bool_rule::widen: return "as int32";
        case frit::on_bool_rule::self: return "itself";
        default: return code(frit::name_of(row.on_bool_op));
    }
}

std::string domain(const op_info& row) { return "[" + shortest(row.lo) + ", " + shortest(row.hi) + "]"; }

std::string ops_page() {
    std::string page =
        "# Operations\n\n"
        "Made from `include/frit/ops.def` by `tests/docs/test_reference.cpp`; do not edit.\n\n"
        "## Elementwise\n\n"
        "Cost: of one element, in cheap operations, as the planner counts it. Tested over, ulp: the operands for which the\n"
        "largest error is guaranteed and tested on every engine, in units in the last place; 0 is the exact or correctly\n"
        "rounded result.\n\n";
    table elementwise({"op", "C++", "computes", "on bool", "cost", "tested over", "ulp"});
    std::vector<std::pair<std::string, std::vector<std::string>>> results;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        const op_info& row = frit::info(static_cast<op>(k));
        if (row.form == op_form::HIDDEN) continue;
        elementwise.row({std::string(row.name), as_written(row), code(computed(row)), on_bool(row), std::to_string(row.cost),
                         domain(row), shortest(row.ulp)});
        std::vector<std::string> cells;
        for (dtype t : computed_dtypes()) {
            const frit::op_dtypes r = frit::resolve(static_cast<op>(k), t);
            cells.push_back(r.valid ? name(r.result) : "-");
        }
        results.emplace_back(row.name, cells);
    }
    page +=
        elementwise.text() +
        "\nInteger edges, the same on every engine: `x / 0` and `x % 0` are 0, the lowest value by -1 wraps, arithmetic\n"
        "wraps; a shift by the width or more, or by a negative amount, gives 0, for a right shift of a signed value the\n"
        "sign. Casts from floating saturate, NaN gives 0. Comparisons of integer arrays are exact, as NumPy 2's are,\n"
        "also of a signed one with uint64, which promote to float64 elsewhere; a C++ number beside one must fit its dtype\n"
        "there too, and `array<std::uint8_t>{1} < 300` is an error. `pow` of integers wraps as a product does; a negative\n"
        "power gives 0, but for the bases 1 and -1.\n\n"
        "What is left of a division: `%` and `fmod` are C's (the sign of a), `remainder` is NumPy's (the sign of b), and\n"
        "`ieee_remainder` is C++'s `std::remainder` (of the nearest quotient, either sign).\n"
        "\n## Results\n\n"
        "The dtype of the result for operands of one dtype (mixed operands are promoted first, see [dtypes](dtypes.md); of\n"
        "`where`, the second and third count). A dash does not compile.\n\n" +
        grouped("op", results);

    page +=
        "\n## Reductions\n\n"
        "Over all elements, or along axes. `count_nonzero`, `mean`, `average`, `var`, `stddev`, `logsumexp`, "
        "`ptp`,\n"
        "`dot` and `linalg::norm` are formulas over them, `nansum`, `nanprod`, `nanmin`, `nanmax`, `nanmean`, `nanvar` and\n"
        "`nanstddev` with NaN left out, and so are `softmax`, `log_softmax`, `layer_norm` and `rms_norm`. The dtype of the\n"
        "result:\n\n";
    std::vector<std::pair<std::string, std::vector<std::string>>> reductions;
    for (int k = 0; k < frit::detail::count_reductions; ++k) {
        const op o = static_cast<op>(frit::detail::count_ops + k);
        const frit::reduction_kind kind = frit::reduction(o).kind;  // some are a part of var, or of prod
        using enum frit::reduction_kind;
        if (kind == DEVIATIONS || kind == PAIR || kind == LAST) continue;
        std::vector<std::string> cells;
        for (dtype t : computed_dtypes()) cells.push_back(frit::takes(o, t) ? name(frit::reduction_dtype(o, t)) : "-");
        reductions.emplace_back(frit::name_of(o), cells);
    }
    page += grouped("op", reductions);

    page +=
        "\n## Run by libraries, and running values\n\n"
        "Nodes of their own in a plan: cuBLAS and CUB on a GPU; OpenBLAS and frit's own loops on the CPU. (A product of\n"
        "integers is a formula on a GPU, and running values are parts of kernels, but for complex products and extrema and\n"
        "for long columns on a GPU.) The dtype of the result; a dash does not compile.\n\n";
    std::vector<std::pair<std::string, std::vector<std::string>>> calls;
    for (int k = 0; k < frit::detail::count_library_ops; ++k) {
        const op o = static_cast<op>(frit::detail::count_ops + frit::detail::count_reductions + k);
        std::vector<std::string> cells;
        for (dtype t : computed_dtypes()) {
            const frit::library_dtypes r = frit::library_dtypes_of(o, t);
            cells.push_back(r.valid ? name(r.result) : "-");
        }
        calls.emplace_back(frit::name_of(o), cells);
    }
    return page + grouped("op", calls);
}

std::string dtypes_page() {
    std::string page =
        "# Dtypes\n\n"
        "Made from `include/frit/dtype.hpp` by `tests/docs/test_reference.cpp`; do not edit.\n\n"
        "An array of a dtype that the engines do not compute with does not compile.\n\n";
    table dtypes({"dtype", "C++", "bytes", "kind", "computed with"});
    for (dtype t : every_dtype) {
        const auto k = static_cast<std::size_t>(t);
        std::string kind(kind_names[k]);
        std::replace(kind.begin(), kind.end(), '_', ' ');
        std::string type(cpp_names[k]);
        if (type.starts_with("::")) type.erase(0, 2);
        const char* const computed = frit::is_short(t) ? "as float32" : frit::is_supported(t) ? "yes" : "not yet";
        dtypes.row({name(t), code(type), std::to_string(frit::size_of(t)), kind, computed});
    }
    page += dtypes.text();

    page +=
        "\n`float16` and `bfloat16` are stored in 16 bits and computed with as float32: a statement is rounded once, where "
        "it\n"
        "ends and becomes an array; so are an explicit cast and the result of a reduction, which adds up in float32. Which\n"
        "statements share a kernel is not seen in the bits.\n"
        "What only moves 16-bit numbers keeps all their bits, a NaN's too: views, updates, copies, `real`, `conj`, a "
        "`where` of two arrays of\n"
        "one dtype, or of one and a number, and `u(mask) = v`.\n"
        "On a GPU `tanh`, `sigmoid`, `silu`, `gelu` and `gelu_tanh` of 16-bit operands have a relative error of up to 2^-16 "
        "where the result goes\n"
        "into a 16-bit one as it is, or by products, quotients and sums with numbers: 16 bits do not show it (results below "
        "1e-35 may be\n"
        "0). In any other statement, and where the result is wider, they have float32's digits.\n"
        "\n"
        "Complex numbers are ordered as in NumPy: by their real parts, then by their imaginary ones; a number is NaN if a "
        "part of it is. So\n"
        "are `<`, `maximum`, `clip`, `max`, `argmax`, `cummax`, `sort` and their like.\n";

    page +=
        "\n## Promotion\n\n"
        "Two arrays: the dtype in which they meet (NumPy 2's table, checked cell by cell).\n\n";
    table promotion(dtype_head(""));
    for (dtype a : computed_dtypes()) {
        std::vector<std::string> cells{name(a)};
        for (dtype b : computed_dtypes()) cells.push_back(name(frit::promote(a, b)));
        promotion.row(cells);
    }
    page += promotion.text();

    page +=
        "\nAn array and a C++ number: the number takes the array's dtype where its kind fits; an integer that the dtype\n"
        "cannot hold is a `dtype_error`. Two numbers in `where` take their common C++ type.\n\n";
    table numbers(dtype_head("number"));
    const auto beside = [&](const std::string& who, dtype number) {
        std::vector<std::string> cells{who};
        for (dtype t : computed_dtypes()) cells.push_back(name(frit::detail::common_dtype({{false, t}, {true, number}})));
        numbers.row(cells);
    };
    beside("bool", dtype::bool_);
    beside("any integer", frit::detail::default_dtype<int>());
    beside("float, double", frit::detail::default_dtype<double>());
    beside("std::complex", frit::detail::default_dtype<std::complex<double>>());
    page += numbers.text();

    page +=
        "\n## Conversions\n\n"
        "`array<T> x = formula` takes a formula whose dtype promotes to T's, as the table above says; anything else needs\n"
        "`frit::cast<T>(formula)`.\n\n"
        "Writing into existing storage (`+=`, slices, masks, `eval_into`) converts as NumPy's \"same kind\" rule does; a "
        "dash does not\n"
        "compile:\n\n";
    std::vector<std::pair<std::string, std::vector<std::string>>> written;
    for (dtype from : computed_dtypes()) {
        std::vector<std::string> cells;
        for (dtype to : computed_dtypes()) cells.push_back(frit::detail::may_write({false, from}, to) ? "yes" : "-");
        written.emplace_back(name(from), cells);
    }
    page += grouped("written into", written) + "\nWhat functions of floating values give, and what sums add up in:\n\n";
    table derived(dtype_head(""));
    std::vector<std::string> floating{"`sqrt(x)`, ..."}, sums{"`sum(x)`, `prod(x)`"}, means{"`mean(x)`"};
    for (dtype t : computed_dtypes()) {
        floating.push_back(name(frit::to_floating(t)));
        sums.push_back(name(frit::sum_dtype(t)));
        means.push_back(name(frit::detail::statistic_dtype(t)));
    }
    derived.row(floating);
    derived.row(sums);
    derived.row(means);
    return page + derived.text();
}

TEST(Reference, Ops) { frit_test::expect_file(FRIT_DOCS_FOLDER "/reference/ops.md", ops_page()); }
TEST(Reference, Dtypes) { frit_test::expect_file(FRIT_DOCS_FOLDER "/reference/dtypes.md", dtypes_page()); }

/// All text of a document from one heading to the next one of its level.
std::string section(const std::string& file, const std::string& heading) {
    std::ifstream document(FRIT_DOCS_FOLDER "/" + file);
    const std::string text((std::istreambuf_iterator<char>(document)), {});
    const std::size_t from = text.find("\n## " + heading + "\n");
    return from == std::string::npos ? "" : text.substr(from, text.find("\n## ", from + 1) - from);
}

// The rows themselves are tests of their own (rows.awk); here: that none is missing, and that what has none is named.
TEST(Reference, NumpysTableHasEveryOp) {
    const std::string text = section("coming-from.md", "NumPy"), missing = section("coming-from.md", "Not there yet");
    std::string ours;  // the second column
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| ")) ours += line.substr(line.rfind(" | ") + 2) + "\n";
    std::erase(ours, '\\');
    ASSERT_GT(ours.size(), 1000U);
    std::string calls = ours;  // blanks between names, so that sign( is not found in copysign(
    for (char& c : calls)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '(') c = ' ';
    const auto expect = [&](std::string_view name, bool row) {
        const bool named = (text + missing).find("`" + std::string(name) + "`") != std::string::npos;
        EXPECT_TRUE(row || named) << name << ": no row has it, and the text does not say who has it";
    };
    const auto expect_call = [&](std::string_view name) {
        const std::string call = std::string(name) + "(";
        expect(name, calls.find(" " + call) != std::string::npos || calls.find("(" + call) != std::string::npos);
    };
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        const op_info& o = frit::info(static_cast<op>(k));
        const std::string token(o.token);
        if (o.form == op_form::CALL) expect_call(token);
        if (o.form == op_form::INFIX) expect(o.name, ours.find(" " + token + " ") != std::string::npos);
        if (o.form == op_form::PREFIX) expect(o.name, ours.find("`" + token) != std::string::npos);
    }
#define FRIT_REDUCTION(name, kind, ...)                                                 \
    if (std::string_view("DEVIATIONS PAIR LAST").find(#kind) == std::string_view::npos) \
        expect_call(#name);  // others are parts
#define FRIT_LIBRARY(name, ...) expect_call(#name);
#include "frit/ops.def"
}

/// Every FRIT_... word of a text that `after` follows.
std::set<std::string> variables_in(const std::string& text, const std::string& after) {
    std::set<std::string> found;
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (std::size_t at = 0; (at = text.find("FRIT_", at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
        if (text.compare(end, after.size(), after) == 0) found.insert(text.substr(at, end - at));
        at = end;
    }
    return found;
}

// The README writes a variable with its value, `FRIT_SYNC=1`, and CMake's options without.
TEST(Reference, ReadmeNamesEveryEnvironmentVariable) {
    std::ifstream readme(FRIT_DOCS_FOLDER "/../README.md");
    const std::string text((std::istreambuf_iterator<char>(readme)), {});
    EXPECT_EQ(variables_in(text, "="), variables_in(frit::info(), " "));
}

}  // namespace
