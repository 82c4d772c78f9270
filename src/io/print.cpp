// Arrays as NumPy lays them out: nested brackets, lines of bounded length, blank lines between blocks, an ellipsis in the
// middle of what is longer than a page. Only what is shown is read.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "src/io/print.hpp"
#include "src/io/transfer.hpp"

namespace frit::inline v0::detail {
namespace {

/// Which elements are shown.
class selection {
public:
    selection(const shape& s, const printoptions& options)
        : shape_(s), edge_(*options.edgeitems), summarise_(s.size() > *options.threshold) {}

    /// Whether the middle of an axis is left out.
    bool skips(int axis) const { return summarise_ && shape_[axis] > 2 * edge_; }
    /// Calls f(k) for the indices that are shown along an axis.
    template <class F>
    void along(int axis, F&& f) const {
        for (std::int64_t k = 0; k < shape_[axis]; ++k) {
            if (skips(axis) && k == edge_) k = shape_[axis] - edge_;
            f(k);
        }
    }
    /// Whether an ellipsis stands before index k.
    bool gap_before(int axis, std::int64_t k) const { return skips(axis) && k == shape_[axis] - edge_; }

    /// Where the shown elements are, in printing order.
    std::vector<std::int64_t> offsets(std::span<const std::int64_t> strides) const {
        std::vector<std::int64_t> list;
        collect(0, 0, strides, list);
        return list;
    }

private:
    void collect(int axis, std::int64_t base, std::span<const std::int64_t> strides, std::vector<std::int64_t>& list) const {
        if (axis == shape_.rank()) return list.push_back(base);
        along(axis,
              [&](std::int64_t k) { collect(axis + 1, base + k * strides[static_cast<std::size_t>(axis)], strides, list); });
    }

    const shape& shape_;
    std::int64_t edge_;
    bool summarise_;
};

class layout {
public:
    layout(const shape& s, const selection& shown, const std::vector<std::string>& elements, int linewidth)
        : rank_(s.rank()), shown_(shown), element_(elements.begin()), room_(linewidth - s.rank()) {}

    std::string text() {
        level(0);
        return std::move(out_);
    }

private:
    void level(int axis) {
        out_ += '[';
        axis + 1 == rank_ ? row(axis) : blocks(axis);
        out_ += ']';
    }

    void blocks(int axis) {
        const std::string gap = std::string(static_cast<std::size_t>(rank_ - axis - 1), '\n') +
                                std::string(static_cast<std::size_t>(axis) + 1, ' ');
        shown_.along(axis, [&](std::int64_t k) {
            if (k > 0) out_ += gap;
            if (shown_.gap_before(axis, k)) out_ += "..." + gap;
            level(axis + 1);
        });
    }

    void row(int axis) {
        const std::size_t indent = static_cast<std::size_t>(rank_);
        std::string line(indent, ' ');  // the first one's indent is the brackets that stand there
        std::size_t begin = indent, width = indent;
        const auto append = [&](const std::string& word) {
            if (static_cast<std::int64_t>(width + width_of(word)) > room_ && width > indent) {
                line.resize(line.find_last_not_of(' ') + 1);
                out_.append(line, begin) += '\n';
                line.assign(indent, ' ');
                begin = 0;
                width = indent;
            }
            line += word;
            width += width_of(word);
        };
        const auto space = [&] {
            line += ' ';
            ++width;
        };
        shown_.along(axis, [&](std::int64_t k) {
            if (k > 0) space();
            if (shown_.gap_before(axis, k)) {
                append("...");
                space();
            }
            append(*element_++);
        });
        out_.append(line, begin);
    }

    int rank_;
    const selection& shown_;
    std::vector<std::string>::const_iterator element_;
    std::int64_t room_;  ///< characters of a line before its closing bracket
    std::string out_;
};

}  // namespace

std::string print(node_head* n) try {
    if (!n) return "<empty array>";
    const shape& extents = *n->extents;
    if (extents.size() == 0) return "[]";
    const printoptions options = get_printoptions();
    const selection shown(extents, options);
    store_for_reading(n);
    const std::vector<std::int64_t> offsets = shown.offsets(strides_of(n));
    std::vector<char> elements(offsets.size() * size_of(n->type));
    read_elements(*as_node(n), offsets, elements.data());
    if (extents.rank() == 0) return number_text(elements.data(), n->type);
    return layout(extents, shown, element_texts(elements.data(), offsets.size(), n->type, options), *options.linewidth)
        .text();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("print", unknown_line);
}

std::ostream& print(std::ostream& to, node_head* n) {
    const std::string text = print(n);
    return to << text;
}

}  // namespace frit::v0::detail

namespace frit::inline v0 {

std::ostream& operator<<(std::ostream& to, const shape& extents) { return to << to_string(extents); }
std::ostream& operator<<(std::ostream& to, dtype type) { return to << name_of(type); }
std::ostream& operator<<(std::ostream& to, device d) { return to << to_string(d); }

}  // namespace frit::v0
