// Printing as NumPy does: nested brackets, one width for all elements, the shortest digits that tell a float apart (at most
// 8 after the point), exponents where the range asks for them, an ellipsis in the middle of what is longer than a page.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "src/node.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::int64_t summarize_above = 1000;
constexpr std::int64_t edge_items = 3;
constexpr int precision = 8;
constexpr std::size_t line_width = 75;

/// The elements that are shown, as text, all of one width.
class element_texts {
public:
    /// @param alone  a 0-d array: its element is printed as NumPy prints a number, with all its digits
    element_texts(const std::vector<char>& data, dtype type, const std::vector<std::int64_t>& shown, bool alone) {
        switch (type) {
            case dtype::bool_:
                for (std::int64_t k : shown) texts_.push_back(at<bool>(data, k) ? "True" : "False");
                break;
            case dtype::i32:
                for (std::int64_t k : shown) texts_.push_back(std::to_string(at<std::int32_t>(data, k)));
                break;
            case dtype::i64:
                for (std::int64_t k : shown) texts_.push_back(std::to_string(at<std::int64_t>(data, k)));
                break;
            case dtype::f32: alone ? number(at<float>(data, 0)) : floats<float>(data, shown); break;
            case dtype::f64: alone ? number(at<double>(data, 0)) : floats<double>(data, shown); break;
            default: throw_dtype_error("print", "cannot print this dtype", {&type, 1}, unknown_line);
        }
        std::size_t width = 0;
        for (const std::string& s : texts_) width = std::max(width, s.size());
        for (std::string& s : texts_) s.insert(0, width - s.size(), ' ');
    }
    const std::string& operator[](std::size_t k) const { return texts_[k]; }

private:
    template <class T>
    static T at(const std::vector<char>& data, std::int64_t k) {
        T x;
        std::memcpy(&x, data.data() + k * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        return x;
    }

    template <class T>
    void number(T x) {
        const T size = std::abs(x);
        const bool plain = x == 0 || (size >= T(1e-4) && size < T(1e16));
        char buffer[64];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, x,
                                       plain ? std::chars_format::fixed : std::chars_format::scientific);
        std::string s = std::isnan(x) ? "nan" : std::isinf(x) ? (x < 0 ? "-inf" : "inf") : std::string(buffer, end.ptr);
        if (plain && s.find('.') == s.npos) s += ".0";
        texts_.push_back(s);
    }

    template <class T>
    static std::string digits(T x, std::chars_format format) {
        char buffer[400];
        auto shortest = std::to_chars(buffer, buffer + sizeof buffer, x, format);
        std::string s(buffer, shortest.ptr);
        const std::size_t point = s.find('.'), e = s.find('e');
        const std::size_t decimals = point == s.npos ? 0 : (e == s.npos ? s.size() : e) - point - 1;
        if (decimals > precision) {
            auto rounded = std::to_chars(buffer, buffer + sizeof buffer, x, format, precision);
            s.assign(buffer, rounded.ptr);
        }
        std::string exponent;
        if (const std::size_t at_e = s.find('e'); at_e != s.npos) {
            exponent = s.substr(at_e);
            s.resize(at_e);
        }
        if (s.find('.') == s.npos) s += '.';
        while (s.back() == '0') s.pop_back();  // what follows the point; the point stays
        return s + exponent;
    }

    template <class T>
    void floats(const std::vector<char>& data, const std::vector<std::int64_t>& shown) {
        T largest = 0, smallest = std::numeric_limits<T>::max();
        for (std::int64_t k : shown) {
            const T x = std::abs(at<T>(data, k));
            if (!std::isfinite(x) || x == 0) continue;
            largest = std::max(largest, x);
            smallest = std::min(smallest, x);
        }
        const bool scientific = largest >= T(1e8) || (largest > 0 && (smallest < T(1e-4) || largest / smallest > T(1000)));
        const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
        std::size_t decimals = 0;
        for (std::int64_t k : shown) {
            const T x = at<T>(data, k);
            texts_.push_back(std::isnan(x) ? "nan" : std::isinf(x) ? (x < 0 ? "-inf" : "inf") : digits(x, format));
            const std::string& s = texts_.back();
            if (const std::size_t point = s.find('.'); point != s.npos)
                decimals = std::max(decimals, s.find('e') == s.npos ? s.size() - point - 1 : s.find('e') - point - 1);
        }
        for (std::string& s : texts_) {  // the points stand below each other
            const std::size_t point = s.find('.');
            if (point == s.npos) continue;
            const std::size_t e = std::min(s.find('e'), s.size());
            s.insert(e, decimals - (e - point - 1), scientific ? '0' : ' ');
        }
    }

    std::vector<std::string> texts_;
};

class array_printer {
public:
    array_printer(const shape& s, const std::vector<char>& data, dtype type)
        : shape_(s), summarize_(s.size() > summarize_above) {
        if (s.size() > 0) list(0, 0);
        texts_ = std::make_unique<element_texts>(data, type, shown_, s.rank() == 0);
    }

    std::string text() {
        if (shape_.rank() == 0) return trimmed((*texts_)[0]);  // as str() of the number
        if (shape_.size() == 0) return "[]";
        level(0);
        return out_;
    }

private:
    static std::string trimmed(const std::string& s) {
        const std::size_t first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
        return s.substr(first, last - first + 1);
    }

    bool skips(int axis) const { return summarize_ && shape_[axis] > 2 * edge_items; }

    template <class F>
    void along(int axis, F&& f) const {
        for (std::int64_t k = 0; k < shape_[axis]; ++k) {
            if (skips(axis) && k == edge_items) k = shape_[axis] - edge_items;
            f(k);
        }
    }

    /// The flat indices of all shown elements, in printing order.
    void list(int axis, std::int64_t base) {
        if (axis == shape_.rank()) {
            shown_.push_back(base);
            return;
        }
        along(axis, [&](std::int64_t k) { list(axis + 1, base * shape_[axis] + k); });
    }

    void level(int axis) {
        const std::string indent(static_cast<std::size_t>(axis) + 1, ' ');
        out_ += '[';
        std::size_t line = out_.size() - out_.find_last_of('\n') - 1;
        if (out_.find('\n') == std::string::npos) line = out_.size();
        along(axis, [&](std::int64_t k) {
            const bool last_axis = axis + 1 == shape_.rank();
            if (k > 0) {
                const std::string gap(static_cast<std::size_t>(std::max(shape_.rank() - axis - 1, 0)), '\n');
                if (!last_axis) out_ += gap + indent;
                if (skips(axis) && k == shape_[axis] - edge_items) out_ += last_axis ? " ..." : "..." + gap + indent;
                if (last_axis && skips(axis) && k == shape_[axis] - edge_items) line += 4;
            }
            if (!last_axis) return level(axis + 1);
            const std::string& s = (*texts_)[next_++];
            if (k > 0 && line + 1 + s.size() > line_width) {
                out_ += "\n" + indent;
                line = indent.size();
            } else if (k > 0) {
                out_ += ' ';
                ++line;
            }
            out_ += s;
            line += s.size();
        });
        out_ += ']';
    }

    const shape& shape_;
    bool summarize_;
    std::vector<std::int64_t> shown_;
    std::unique_ptr<element_texts> texts_;
    std::size_t next_ = 0;
    std::string out_;
};

}  // namespace

std::string print(node_head* n) {
    if (!n) return "<empty array>";
    std::vector<char> data(as_node(n)->bytes());
    read(n, data.data(), unknown_line);
    return array_printer(*n->extents, data, n->type).text();
}

std::ostream& print(std::ostream& to, node_head* n) { return to << print(n); }

}  // namespace frit::v0::detail
