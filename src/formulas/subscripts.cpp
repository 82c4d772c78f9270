// See subscripts.hpp. Letters are numbered as they are met; the axes of an ellipsis are numbered from the last one, since
// that is where they broadcast.
#include "src/formulas/subscripts.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The subscripts of one array as they are written: letters, and '.' in the place of an ellipsis.
using term_text = std::string;

class reader {
public:
    reader(std::string_view text, std::span<const user_ref> operands, source_line where)
        : text_(text), operands_(operands), where_(where) {}

    subscripts run() {
        read();
        if (terms_.size() != operands_.size())
            fail("it is of " + counted(terms_.size(), "operand", "operands") + ", and there are " +
                 std::to_string(operands_.size()));
        for (std::size_t k = 0; k < terms_.size(); ++k) count_ellipsis(k);
        for (std::size_t k = 0; k < terms_.size(); ++k) add_operand(k);
        if (explicit_)
            check_result();
        else
            result_ = implied();
        made_.result = numbered(result_, ellipsis_);
        return made_;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        std::vector<shape> shapes;
        for (const user_ref& x : operands_.first(std::min<std::size_t>(operands_.size(), 8))) shapes.push_back(*x->extents);
        throw_shape_error("einsum", '"' + std::string(text_) + "\": " + why, shapes, where_);
    }
    static std::string counted(std::size_t n, const char* one, const char* many) {
        return std::to_string(n) + ' ' + (n == 1 ? one : many);
    }
    static std::string name_of_operand(std::size_t k) { return "operand " + std::to_string(k); }

    // --- the text ---

    void read() {
        terms_.emplace_back();
        for (std::size_t at = 0; at < text_.size(); ++at) {
            const char c = text_[at];
            term_text& term = explicit_ ? result_ : terms_.back();
            if (c == ' ') continue;
            if (letters.find(c) != letters.npos) {
                term += c;
            } else if (text_.substr(at, 3) == "...") {
                if (term.find('.') != term.npos) fail("an array has two ellipses");
                term += '.';
                at += 2;
            } else if (text_.substr(at, 2) == "->") {
                if (explicit_) fail("-> stands there twice");
                explicit_ = true;
                ++at;
            } else if (c == ',') {
                if (explicit_) fail("there is one result, and so no comma behind ->");
                terms_.emplace_back();
            } else {
                fail("'" + std::string(1, c) + "' at place " + std::to_string(at) +
                     " is no letter, comma, ellipsis (...) or arrow (->)");
            }
        }
    }

    void check_result() const {
        for (std::size_t k = 0; k < result_.size(); ++k) {
            const char c = result_[k];
            if (c == '.') continue;
            const std::string name(1, c);
            if (number_[index_of_letter(c)] < 0) fail("the result has an index " + name + " that no operand has");
            if (result_.find(c) != k) fail("the result has the index " + name + " twice");
        }
        if (ellipsis_ > 0 && result_.find('.') == result_.npos)
            fail("the result lacks the ellipsis, which stands for " +
                 counted(static_cast<std::size_t>(ellipsis_), "axis", "axes"));
    }

    term_text implied() const {
        std::string all;
        for (const term_text& t : terms_) all += t;
        term_text result = ".";
        for (const char c : letters)
            if (std::count(all.begin(), all.end(), c) == 1) result += c;
        return result;
    }

    // --- what it says of the shapes ---

    /// How many axes an operand's ellipsis stands for.
    int ellipsis_of(std::size_t k) const {
        const term_text& t = terms_[k];
        const bool open = t.find('.') != t.npos;
        return open ? operands_[k]->extents->rank() - static_cast<int>(t.size()) + 1 : 0;
    }

    void count_ellipsis(std::size_t k) {
        const term_text& t = terms_[k];
        const bool open = t.find('.') != t.npos;
        const int named = static_cast<int>(t.size()) - (open ? 1 : 0), rank = operands_[k]->extents->rank();
        if (open ? named > rank : named != rank)
            fail(name_of_operand(k) + " has rank " + std::to_string(rank) + ", and " +
                 counted(static_cast<std::size_t>(named), "index", "indices"));
        ellipsis_ = std::max(ellipsis_, ellipsis_of(k));
    }

    static std::size_t index_of_letter(char c) { return letters.find(c); }

    int number_of(char c) {
        int& n = number_[index_of_letter(c)];
        if (n < 0) n = next();
        return n;
    }
    int number_of_ellipsis(int from_the_last) {
        int& n = number_[letters.size() + static_cast<std::size_t>(from_the_last)];
        if (n < 0) n = next();
        return n;
    }
    int next() {
        made_.extents.push_back(1);
        first_.push_back(0);
        return static_cast<int>(made_.extents.size()) - 1;
    }

    subscript_list numbered(const term_text& t, int ellipsis) {
        subscript_list list;
        for (const char c : t)
            if (c == '.')
                for (int k = ellipsis; k-- > 0;) list.push_back(number_of_ellipsis(k));
            else
                list.push_back(number_of(c));
        return list;
    }

    void add_operand(std::size_t k) {
        const subscript_list list = numbered(terms_[k], ellipsis_of(k));
        const shape& extents = *operands_[k]->extents;
        for (std::size_t axis = 0; axis < list.size(); ++axis) {
            const auto number = static_cast<std::size_t>(list[axis]);
            const std::int64_t extent = extents[axis];
            // A diagonal has both its axes' length.
            for (std::size_t before = 0; before < axis; ++before)
                if (list[before] == list[axis] && extents[before] != extent)
                    fail("index " + name(list[axis]) + " is twice in " + name_of_operand(k) + ", and is " +
                         std::to_string(extents[before]) + " and " + std::to_string(extent) + " long there");
            std::int64_t& common = made_.extents[number];
            if (common != extent && common != 1 && extent != 1)
                fail("index " + name(list[axis]) + " is " + std::to_string(common) + " long in " +
                     name_of_operand(first_[number]) + " and " + std::to_string(extent) + " in " + name_of_operand(k));
            if (common == 1 && extent != 1) common = extent, first_[number] = k;
        }
        made_.operands.push_back(list);
    }

    /// As errors name an index.
    std::string name(int number) const {
        const auto at = static_cast<std::size_t>(std::find(number_.begin(), number_.end(), number) - number_.begin());
        if (at < letters.size()) return std::string(1, letters[at]);
        return "... (axis " + std::to_string(-1 - static_cast<int>(at - letters.size())) + " of it)";
    }

    static std::array<int, most_subscripts> no_numbers() {
        std::array<int, most_subscripts> all;
        all.fill(-1);
        return all;
    }

    std::string_view text_;
    std::span<const user_ref> operands_;
    source_line where_;
    std::vector<term_text> terms_;
    term_text result_;
    bool explicit_ = false;
    int ellipsis_ = 0;                                        // the most axes that one stands for
    std::array<int, most_subscripts> number_ = no_numbers();  // of letters, and behind them of an ellipsis' axes
    std::vector<std::size_t> first_;                          // the operand that says how long an index is
    subscripts made_;
};

}  // namespace

subscripts subscripts_of(std::string_view text, std::span<const user_ref> operands, source_line where) {
    return reader(text, operands, where).run();
}

}  // namespace frit::v0::detail
