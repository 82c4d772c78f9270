// See literals.hpp.
#include "src/functions/literals.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void refuse(const char* what, const token& t) { throw refused{what + std::string(t.text), t.at}; }

struct floating_text {
    const char *begin, *end;
    bool hex;
    /// Of a number that no floating type has: whether it is too small, which is 0 in C, and not too large.
    bool is_small() const {
        const std::string_view all(begin, static_cast<std::size_t>(end - begin));
        const std::size_t exponent = all.find_first_of(hex ? "pP" : "eE");
        if (exponent != std::string_view::npos) return exponent + 1 < all.size() && all[exponent + 1] == '-';
        return all.find_first_not_of('0') == all.find('.');
    }
    /// @returns what follows the number
    template <class T>
    std::string_view read(T& x, const token& t) const {
        const auto r = std::from_chars(begin, end, x, hex ? std::chars_format::hex : std::chars_format::general);
        if (r.ec == std::errc::invalid_argument) refuse("not a number: ", t);
        if (r.ec == std::errc::result_out_of_range) {
            if (!is_small()) refuse("a number out of range: ", t);
            x = 0;
        }
        return {r.ptr, static_cast<std::size_t>(end - r.ptr)};
    }
};

expression whole_literal(const token& t, bool hex, const char* begin, const char* end) {
    std::uint64_t x = 0;
    const bool octal = !hex && t.text.size() > 1 && t.text[0] == '0' && std::isdigit(static_cast<unsigned char>(t.text[1]));
    const auto r = std::from_chars(begin, end, x, hex ? 16 : octal ? 8 : 10);
    std::string suffix(r.ptr, end);
    for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool u = suffix.find('u') != std::string::npos, l = suffix.find('l') != std::string::npos;
    constexpr std::string_view suffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
    if (r.ec == std::errc::result_out_of_range) refuse("a number out of range: ", t);
    if (r.ec != std::errc{} || std::find(std::begin(suffixes), std::end(suffixes), suffix) == std::end(suffixes))
        refuse("not a number: ", t);
    const bool other = hex || octal;  // may be unsigned without saying so
    if (!l && !u && x <= INT32_MAX) return number_of(static_cast<std::int32_t>(x));
    if (!l && (u || other) && x <= UINT32_MAX) return number_of(static_cast<std::uint32_t>(x));
    if (!u && x <= INT64_MAX) return number_of(static_cast<std::int64_t>(x));
    if (!u && !other) refuse("a number out of range: ", t);
    return number_of(x);
}

template <class T>
void add_limits(std::map<std::string_view, expression>& to, std::string_view least, std::string_view most) {
    using shown = std::conditional_t<(sizeof(T) < sizeof(int)), int, T>;  // as C promotes them
    if (!least.empty()) to.emplace(least, number_of(static_cast<shown>(std::numeric_limits<T>::min())));
    to.emplace(most, number_of(static_cast<shown>(std::numeric_limits<T>::max())));
}

std::map<std::string_view, expression> all_constants() {
    std::map<std::string_view, expression> all{
        {"M_E", number_of(2.7182818284590452354)},
        {"M_LOG2E", number_of(1.4426950408889634074)},
        {"M_LOG10E", number_of(0.43429448190325182765)},
        {"M_LN2", number_of(0.69314718055994530942)},
        {"M_LN10", number_of(2.30258509299404568402)},
        {"M_PI", number_of(3.14159265358979323846)},
        {"M_PI_2", number_of(1.57079632679489661923)},
        {"M_PI_4", number_of(0.78539816339744830962)},
        {"M_1_PI", number_of(0.31830988618379067154)},
        {"M_2_PI", number_of(0.63661977236758134308)},
        {"M_2_SQRTPI", number_of(1.12837916709551257390)},
        {"M_SQRT2", number_of(1.41421356237309504880)},
        {"M_SQRT1_2", number_of(0.70710678118654752440)},
        {"INFINITY", number_of(HUGE_VALF)},
        {"HUGE_VALF", number_of(HUGE_VALF)},
        {"HUGE_VAL", number_of(HUGE_VAL)},
        {"NAN", number_of(std::numeric_limits<float>::quiet_NaN())},
        {"FLT_EPSILON", number_of(std::numeric_limits<float>::epsilon())},
        {"DBL_EPSILON", number_of(std::numeric_limits<double>::epsilon())},
    };
    add_limits<float>(all, "FLT_MIN", "FLT_MAX");
    add_limits<double>(all, "DBL_MIN", "DBL_MAX");
    add_limits<std::int8_t>(all, "SCHAR_MIN", "SCHAR_MAX");
    add_limits<std::int16_t>(all, "SHRT_MIN", "SHRT_MAX");
    add_limits<std::int32_t>(all, "INT_MIN", "INT_MAX");
    add_limits<std::int64_t>(all, "LONG_MIN", "LONG_MAX");
    add_limits<std::int64_t>(all, "LLONG_MIN", "LLONG_MAX");
    add_limits<std::uint8_t>(all, "", "UCHAR_MAX");
    add_limits<std::uint16_t>(all, "", "USHRT_MAX");
    add_limits<std::uint32_t>(all, "", "UINT_MAX");
    add_limits<std::uint64_t>(all, "", "ULONG_MAX");
    add_limits<std::uint64_t>(all, "", "ULLONG_MAX");
    add_limits<std::uint64_t>(all, "", "SIZE_MAX");
    add_limits<std::int8_t>(all, "INT8_MIN", "INT8_MAX");
    add_limits<std::int16_t>(all, "INT16_MIN", "INT16_MAX");
    add_limits<std::int32_t>(all, "INT32_MIN", "INT32_MAX");
    add_limits<std::int64_t>(all, "INT64_MIN", "INT64_MAX");
    add_limits<std::uint8_t>(all, "", "UINT8_MAX");
    add_limits<std::uint16_t>(all, "", "UINT16_MAX");
    add_limits<std::uint32_t>(all, "", "UINT32_MAX");
    add_limits<std::uint64_t>(all, "", "UINT64_MAX");
    return all;
}

}  // namespace

expression literal_of(const token& t) {
    const std::string_view text = t.text;
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const bool floating = text.find('.') != std::string_view::npos ||
                          (hex ? text.find_first_of("pP") : text.find_first_of("eE")) != std::string_view::npos;
    const char* const begin = text.data() + (hex ? 2 : 0);
    const char* const end = text.data() + text.size();
    if (!floating) return whole_literal(t, hex, begin, end);
    if (hex && text.find_first_of("pP") == std::string_view::npos)  // its f would be a digit
        refuse("a hexadecimal number with a point needs an exponent, p0: ", t);
    const floating_text number{begin, end, hex};
    double x = 0;
    const std::string_view suffix = number.read(x, t);
    if (!suffix.empty() && suffix != "f" && suffix != "F") refuse("not a number: ", t);
    if (suffix.empty()) return number_of(x);
    float single = 0;
    number.read(single, t);
    return number_of(single);
}

std::optional<expression> constant_named(std::string_view name) {
    static const std::map<std::string_view, expression> all = all_constants();
    const auto it = all.find(name);
    return it == all.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace frit::v0::detail
