// See row_groups.hpp.
#include "fusion/schedules/host/row_groups.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::host {

constexpr std::int64_t longest_run = 128, turned_bytes = 64 << 10;  // where rows are turned round
// Where recurrences have lanes across rows in memory: few elements of each row at a time, of many rows, since memory is
// quick with long stretches and few of them.
constexpr std::int64_t shortest_run = 8;

bool row_groups::is_turned(const memory& m) const {
    const std::size_t last = spec_.rank - 1U;
    return has_recurrences(spec_) && row_dims_ == last && is_element(m) && moves_across(m) && moves_in_row(m) &&
           !m.is_contiguous(lane_) && !m.dim(last).clamped;
}
bool row_groups::recurs_along_memory() const {
    return has_recurrences(spec_) && std::any_of(memories_.begin(), memories_.end(), [this](const memory& m) {
               return is_element(m) && !m.is_load() && !m.is_contiguous(lane_) && m.is_contiguous(spec_.rank - 1U);
           });
}
bool row_groups::is_one_row() const {
    return has_recurrences(spec_) && row_dims_ == spec_.rank - 1U &&
           std::none_of(memories_.begin(), memories_.end(), [this](const memory& m) { return moves_across(m); });
}
int row_groups::vectors() const {
    if (spec_.body.size() > 64 || inner_order_ || is_one_row()) return 1;
    std::size_t each = 1;
    for (std::size_t k = 0; k < spec_.reductions.size(); ++k) each += static_cast<std::size_t>(rule(k).parts);
    for (const memory& m : memories_) each += is_invariant(m) ? 1 : 0;
    for (const instruction& i : spec_.body) each += i.code == op::row || i.code == op::state ? 1 : 0;
    const std::size_t registers = target_.vector_bytes == 64 ? 32 : 16;
    int n = recurs_along_memory() ? 2 : 8;
    while (n > 1 && static_cast<std::size_t>(n) * each > registers * 3 / 4) n /= 2;
    return n;
}
int row_groups::wide_vectors() const {
    const bool streams = std::all_of(memories_.begin(), memories_.end(), [this](const memory& m) {
        return is_element(m) ? m.is_load() && m.is_contiguous(lane_) : !is_table(m);
    });
    return passes_.single() && streams && !inner_order_ && parts_of(spec_) <= 2 && spec_.body.size() <= 16
               ? static_cast<int>(rows_of_a_task) / lanes_
               : vectors();
}
std::int64_t row_groups::length_of_runs() const {
    std::size_t bytes = 0;
    for (const memory& m : memories_) bytes += is_turned(m) ? size_of(m.at.type) : 0;
    const bool adds = std::any_of(spec_.reductions.begin(), spec_.reductions.end(),
                                  [](const reduction_spec& r) { return r.code != op::last; });
    if (adds || inner_order_) return reduce_run;
    if (is_one_row()) return reduce_block;
    const bool across = std::any_of(memories_.begin(), memories_.end(),
                                    [this](const memory& m) { return is_element(m) && m.is_contiguous(lane_); });
    if (bytes == 0) return has_recurrences(spec_) && across ? shortest_run : reduce_run;
    std::int64_t n = longest_run;
    while (n > reduce_run && static_cast<std::int64_t>(bytes) * n * vectors() * lanes_ > turned_bytes) n /= 2;
    return n;
}

bool row_groups::uses(std::size_t p, op code, std::size_t a) const {
    const std::vector<std::uint16_t>& body = passes_.passes[p].body;
    return std::any_of(body.begin(), body.end(),
                       [&](std::uint16_t k) { return spec_.body[k].code == code && spec_.body[k].a == a; });
}

value row_groups::from_first(std::size_t k, value jj) {
    return is_one_row() ? offset(memories_[k], spec_.rank - 1U, j_ + jj) : (*offsets_[k])[jj];
}
value row_groups::single(std::size_t k, value jj) {
    return is_one_row() ? b_.read(start_[k] + from_first(k, jj)) : (*tables_[k])[jj];
}
value row_groups::index_in_row(std::size_t k, value jj) {
    const instruction& i = spec_.body[k];
    return is_one_row() ? b_.number(i.type, coordinate_at(i.a, j_ + jj)) : (*index_tables_[k])[jj];
}

void row_groups::declare_tables() {
    if (is_one_row()) return;
    tables_.resize(memories_.size());
    offsets_.resize(memories_.size());
    for (std::size_t k = 0; k < memories_.size(); ++k) {
        const memory& m = memories_[k];
        if (is_table(m)) tables_[k] = b_.declare("y" + m.id, loops::number_of(m.at.type), run_length_);
        if (is_element(m)) offsets_[k] = b_.declare("o" + m.id, loops::index_type(), run_length_);
    }
    index_tables_.resize(spec_.body.size());
    each_coordinate([&](std::size_t k, const instruction& i) {
        index_tables_[k] = b_.declare("g" + std::to_string(k), loops::number_of(i.type), run_length_);
    });
}

void row_groups::fill_tables(std::size_t p) {
    const std::vector<std::uint16_t>& body = passes_.passes[p].body;
    const auto computes = [&](std::size_t k) { return std::find(body.begin(), body.end(), k) != body.end(); };
    bool any = false;
    for (std::size_t k = 0; k < memories_.size(); ++k)
        any = any || ((is_table(memories_[k]) || is_element(memories_[k])) && touches(p, k));
    each_coordinate([&](std::size_t k, const instruction&) { any = any || computes(k); });
    if (!any || is_one_row()) return;
    const std::size_t last = spec_.rank - 1U;
    std::vector<cell> index(spec_.rank);
    value left = j_;
    for (std::size_t d = last + 1; d-- > row_dims_;) {
        index[d] = b_.declare("i" + std::to_string(d), d > row_dims_ ? left % extents_[d] : left);
        if (d > row_dims_) left = b_.let("left", left / extents_[d]);
    }
    b_.loop("jj", b_.constant(0), m_, 1, 0, [&](value jj) {
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (!touches(p, k)) continue;
            value from = b_.constant(0);
            for (std::size_t d = row_dims_; d < spec_.rank; ++d) from = from + offset(m, d, index[d]);
            if (is_table(m)) b_.put(*tables_[k], jj, b_.read(start_[k] + from));
            if (is_element(m)) b_.put(*offsets_[k], jj, from);
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            if (computes(k))
                b_.put(*index_tables_[k], jj, b_.number(i.type, coordinate_at(i.a, index[spec_.coords[i.a].dim])));
        });
        // The last index counts; where it is back at 0 the one before it does, and so on.
        b_.set(index[last], index[last] + 1);
        for (std::size_t d = last; d > row_dims_; --d)
            b_.when(index[d] == extents_[d], [&] {
                b_.set(index[d], b_.constant(0));
                b_.set(index[d - 1], index[d - 1] + 1);
            });
    });
}
}  // namespace frit::v0::fusion::host
