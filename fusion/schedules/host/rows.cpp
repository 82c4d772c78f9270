// Which values are worth keeping from one pass over a row to the next; how a row, or a line of rows, starts.
#include "fusion/schedules/host/rows.hpp"

#include <algorithm>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int bytes_kept = 64 << 10;  // on the stack
constexpr int slack = 64;             // elements: the last group of a row is stored whole

}  // namespace

row_builder::row_builder(const kernel_spec& spec, const word_map& map, const target& t, const std::string& name)
    : kernel_builder(spec, map, t, name),
      passes_(spec),
      row_dims_(spec.schedule == schedule_kind::reduce_all ? 0 : std::size_t{spec.rank} - spec.reduced),
      first_(b_.parameter("first", loops::index_type())),
      last_(b_.parameter("last", loops::index_type())),
      block_(b_.parameter("block", loops::index_type())),
      stop_(b_.parameter("stop", loops::index_type())),
      partials_(b_.parameter("partials", loops::address_of(dtype::u64, false))) {
    for (std::uint16_t k = 0; k < spec.body.size(); ++k) {
        const instruction& i = spec.body[k];
        const bool costly = i.code == op::state || (is_elementwise(i.code) && info(i.code).cost >= cost_worth_keeping);
        if (!costly || i.type == dtype::bool_) continue;
        std::vector<std::size_t> users;
        for (std::size_t p = 0; p < passes_.passes.size(); ++p)
            if (std::binary_search(passes_.passes[p].body.begin(), passes_.passes[p].body.end(), k)) users.push_back(p);
        if (users.size() < 2) continue;
        crossing_.push_back({k, users.front()});
        bytes_ += static_cast<int>(size_of(i.type));
    }
}

void row_builder::sizes() {
    parted_ = b_.let("parted", b_.bytes(partials_) != 0);
    rows_ = b_.let("rows", product(0, row_dims_));
    length_ = b_.let("length", product(row_dims_, spec_.rank));
    blocks_ = b_.let("blocks", (length_ + (reduce_block - 1)) / reduce_block);
}

void row_builder::leave_partials(std::size_t r, value block, value row, const parts& all, value count) {
    std::int64_t number = 0;
    for (std::size_t k = 0; k < r; ++k) number += rule(k).parts;
    for (const value& part : all)
        b_.run(loops::routine::store_words, {partials_ + ((number++ * blocks_ + block) * rows_ + row), part, count});
}

bool row_builder::moves_in_row(const memory& m) const {
    for (std::size_t d = row_dims_; d < spec_.rank; ++d)
        if (m.moves(d)) return true;
    return false;
}

void row_builder::start_of(std::size_t dims, value number, const std::function<bool(const memory&)>& is_splat) {
    indices_.assign(spec_.rank, {});
    value left = number;
    for (std::size_t d = dims; d-- > 0;) {
        indices_[d] = b_.let("i" + std::to_string(d), d > 0 ? left % extents_[d] : left);
        if (d > 0) left = b_.let("left", left / extents_[d]);
    }
    start_.clear();
    once_.clear();
    for (std::size_t k = 0; k < memories_.size(); ++k) {
        const memory& m = memories_[k];
        value at = m.base;
        for (std::size_t d = 0; d < dims; ++d) at = moved(m, d, at, indices_[d]);
        start_.push_back(b_.let("r" + m.id, at));
        once_.emplace_back();
        if (!is_splat(m)) continue;
        const value there = b_.read(start_[k]);
        once_[k] = b_.let(
            "z" + m.id,
            b_.splat(row_code_reads(spec_, k) ? there : b_.choice(length_ > 0, there, b_.whole_number(m.at.type, 1))));
    }
}

std::vector<cell> row_builder::declare_parts(const std::string& name, const parts& all) {
    std::vector<cell> cells;
    for (const value& part : all) cells.push_back(b_.declare(name, part));
    return cells;
}
// s becomes what it is behind the accumulator one level below `at`.
void row_builder::join(std::size_t r, const accumulators& tree, std::int64_t pitch, const cell& at,
                       const std::vector<cell>& s) {
    b_.set(at, at - pitch);
    assign(s, combined(r, read(tree, at), parts(s.begin(), s.end())));
}
void row_builder::push(std::size_t r, const accumulators& tree, std::int64_t pitch, value level, value before,
                       const parts& pushed) {
    const std::vector<cell> s = declare_parts("s", pushed);
    const cell at = b_.declare("at", level), odd = b_.declare("odd", before);
    b_.repeat(odd % 2 != 0, [&] {
        join(r, tree, pitch, at, s);
        b_.set(odd, odd / 2);
    });
    write(tree, at, parts(s.begin(), s.end()));
}
parts row_builder::total_of_tree(std::size_t r, const accumulators& tree, std::int64_t pitch, value place, value top) {
    const cell at = b_.declare("at", top);
    const std::vector<cell> s = declare_parts("s", read(tree, at));
    b_.repeat(at != place, [&] { join(r, tree, pitch, at, s); });
    return {s.begin(), s.end()};
}

std::int64_t row_builder::room() const { return bytes_kept / bytes_ / slack * slack; }

void row_builder::declare_kept(value elements) {
    if (!keeps()) return;
    for (crossing_value& v : crossing_)
        v.at = b_.declare("k" + std::to_string(v.name), loops::number_of(spec_.body[v.name].type), room() + slack);
    fits_ = b_.let("fits", elements <= room());
}

void row_builder::body(std::size_t p, std::vector<value>& done, value at, const leaf_value& leaf, value exists) {
    done.resize(spec_.body.size());
    for (const std::uint16_t k : passes_.passes[p].body) {
        const instruction& i = spec_.body[k];
        value v = operands_of(i) > 0 ? b_.computed(i, spec_.body, done, exists) : leaf(i);
        const auto kept =
            std::find_if(crossing_.begin(), crossing_.end(), [k](const crossing_value& x) { return x.name == k; });
        const bool crosses = kept != crossing_.end();
        if (crosses && p > kept->made) v = b_.choice(fits_, b_.load(kept->at->at(at)), v);
        done[k] = b_.let("t" + std::to_string(k), v);
        if (crosses && p == kept->made) b_.when(fits_, [&] { b_.store(kept->at->at(at), done[k]); });
    }
}

}  // namespace frit::v0::fusion::host
