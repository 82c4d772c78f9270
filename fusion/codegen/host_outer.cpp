// Host text of reductions whose lanes run across rows: reduce_outer and reduce_tile. Rows that are neighbours make a tile;
// the elements of its rows come in runs of 32. A run of some vectors of rows is accumulated in registers, so that what
// is invariant from row to row is read once for all of them and what is invariant along the row once for the run; the runs
// of a tile combine in pairwise trees in the cache.
#include "fusion/codegen/host_rows.hpp"
#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int levels = 40;              // of the trees: rows of up to 2^44 elements
constexpr int tree_bytes = 4096;        // one level of all trees of a tile
constexpr int cache_bytes = 256 << 10;  // that a tile may read in one pass, if there are several

class outer_kernel : row_text {
public:
    outer_kernel(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t)
        : row_text(d, spec, map, t),
          inner_order_(spec.schedule == schedule_kind::reduce_inner),
          lane_(row_dims_ - 1),
          section_(spec.row.size(), passes_.passes.size()),
          crosses_(spec.row.size(), false) {
        for (std::size_t p = 0; p < passes_.passes.size(); ++p)
            for (const std::uint16_t k : passes_.passes[p].row) section_[k] = p;
        for (const instruction& i : spec.body)
            if (i.code == op::row) crosses_[i.a] = true;
        for (std::size_t k = 0; k < spec.row.size(); ++k)
            for_operands(spec.row[k], [&](std::uint16_t a) { crosses_[a] = crosses_[a] || section_[a] != section_[k]; });
        for (const store& s : spec.row_stores)
            if (section_[s.value] < passes_.passes.size()) crosses_[s.value] = true;
    }

    std::string text_of(const std::string& name) const {
        std::string out =
            inner_order_ ? "static __attribute__((noinline)) void " : lanes() + accumulators() + "extern \"C\" void ";
        out += name + "(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {\n" +
               parameters(lane_) + variables();
        out += with(
            "    for (i64 row = first; row < last;) {\n"
            "        const i64 line = row / n$n, begin = row - line * n$n, end = fn::min(n$n, begin + last - row);\n"
            "        row += end - begin;\n",
            {{"n", text(lane_)}});
        out += line_start();
        out +=
            "        for (i64 c = begin; c < end; c += tile) {\n"
            "            const i64 width = fn::min(tile, end - c);\n";
        for (std::size_t p = 0; p < passes_.passes.size(); ++p) out += pass(p);
        out += row_code(passes_.row_at_end, passes_.passes.size());
        return out + "        }\n    }\n}\n";
    }

private:
    template <class F>
    static void for_operands(const instruction& i, F f) {
        for (int n = 0; n < operands_of(i); ++n) f(operand(i, n));
    }
    bool moves_across(const memory& m) const { return m.moves(lane_); }
    /// One value for a line of rows; one value for all rows; one value for all elements of a row.
    bool is_splat(const memory& m) const { return m.is_load() && !moves_across(m) && !moves_in_row(m); }
    bool is_table(const memory& m) const { return m.is_load() && !moves_across(m) && moves_in_row(m); }
    bool is_invariant(const memory& m) const { return m.is_load() && moves_across(m) && !moves_in_row(m); }
    bool is_element(const memory& m) const {
        return m.what != memory::kind::row_store && !is_splat(m) && !is_table(m) && !is_invariant(m);
    }
    std::string stride_of(const memory& m) const { return moves_across(m) ? "e" + m.id : "0"; }
    std::string clamp_of(const memory& m) const { return m.dim(lane_).clamped ? "c" + m.id + ", " : ""; }

    /// Vectors of rows in flight: what they keep in registers leaves a quarter of them free.
    int vectors() const {
        if (spec_.body.size() > 64 || inner_order_) return 1;
        std::size_t each = 1;
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k) each += static_cast<std::size_t>(parts(k));
        for (const memory& m : memories_) each += is_invariant(m) ? 1 : 0;
        for (const instruction& i : spec_.body) each += i.code == op::row ? 1 : 0;
        const std::size_t registers = target_.vector_bytes == 64 ? 32 : 16;
        int n = 8;
        while (n > 1 && static_cast<std::size_t>(n) * each > registers * 3 / 4) n /= 2;
        return n;
    }

    /// Vectors of a wide group, whose accumulators are in the L1, so that memory is read in pieces of some kilobytes: for
    /// what waits for memory more than it computes. Else vectors().
    int wide_vectors() const {
        const bool streams = std::all_of(memories_.begin(), memories_.end(), [this](const memory& m) {
            return is_element(m) ? m.is_load() && m.is_contiguous(lane_) : !is_table(m);
        });
        return passes_.single() && streams && !inner_order_ && parts_of(spec_) <= 2 && spec_.body.size() <= 16
                   ? static_cast<int>(rows_of_a_task) / lanes_
                   : vectors();
    }

    std::string variables() const {
        std::size_t state = 1, read = 1;
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k) {
            const reduction_rule& rule = rule_of(spec_.reductions[k]);
            for (int p = 0; p < rule.parts; ++p) state += size_of(rule.types[p]);
        }
        for (const memory& m : memories_) read += is_element(m) ? size_of(m.at.type) : 0;
        const int unit = wide_vectors() * lanes_;
        const int widest = std::max(unit, tree_bytes / static_cast<int>(state) / unit * unit);
        std::string out = with(
            "    const i64 rows = $r, length = $l, blocks = (length + $B - 1) / $B, runs = (length + $R - 1) / $R;\n"
            "    constexpr int G = $G, H = $H;\n    constexpr i64 W = $W;\n    i64 tile = W;\n",
            {{"r", product(0, row_dims_)},
             {"l", product(row_dims_, spec_.rank)},
             {"B", std::to_string(reduce_block)},
             {"R", std::to_string(reduce_run)},
             {"G", std::to_string(vectors())},
             {"H", std::to_string(wide_vectors())},
             {"W", std::to_string(widest)}});
        if (!passes_.single())
            out += with("    tile = fn::min(tile, $n / fn::max(1, length) / (G * L) * (G * L));\n",
                        {{"n", text(cache_bytes / read)}});
        if (!kept_.empty())
            out += with(
                "    const i64 fits = $n / fn::max(1, length) / (G * L) * (G * L);\n"
                "    if (fits > 0) tile = fn::min(tile, fits);\n",
                {{"n", std::to_string(kept_.count())}});
        out += "    tile = fn::max(tile, G * L);\n" + kept_.declarations(spec_, "length * tile");
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k)
            out += with("    $S tree$k[$n * (W / L)];\n",
                        {{"S", sum_type(k)}, {"k", text(k)}, {"n", std::to_string(inner_order_ ? 1 : levels)}});
        for (std::size_t k = 0; k < spec_.row.size(); ++k)
            if (crosses_[k])
                out += with("    alignas(64) $T row$k[W];\n", {{"T", c_type(spec_.row[k].type)}, {"k", text(k)}});
        for (const memory& m : memories_) {
            if (is_table(m))
                out += with("    $T y$k[$R];\n", {{"T", c_type(m.at.type)}, {"k", m.id}, {"R", std::to_string(reduce_run)}});
            if (is_element(m)) out += with("    i64 o$k[$R];\n", {{"k", m.id}, {"R", std::to_string(reduce_run)}});
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            out += with("    $T g$k[$R];\n", {{"T", c_type(i.type)}, {"k", text(k)}, {"R", std::to_string(reduce_run)}});
        });
        return out;
    }
    // Indices, pointers and single values of a line of rows; [in0, in1): its rows where no access is clamped.
    std::string line_start() const {
        std::string out = start_of(lane_, "line", [this](const memory& m) { return is_splat(m); });
        out += "        i64 in0 = begin, in1 = end;\n";
        for (const memory& m : memories_)
            if (m.dim(lane_).clamped) out += "        c" + m.id + ".narrow(in0, in1);\n";
        return out;
    }

    // A load of lanes at row `at`, `offset` on from the first element of the rows.
    std::string part_of(const memory& m, const std::string& at, const std::string& offset) const {
        const bool truth = m.at.type == dtype::bool_;
        const std::initializer_list<replacement> values = {{"m", truth ? "_mask" : ""},
                                                           {"v", truth ? "<M, L>" : "<L>"},
                                                           {"k", m.id},
                                                           {"o", offset},
                                                           {"at", at},
                                                           {"e", stride_of(m)},
                                                           {"c", clamp_of(m)}};
        return with(
            m.is_contiguous(lane_) ? "fn::load$m_part$v(r$k$o + $at, count)" : "fn::collect$m$v(r$k$o, $e, $c$at, count)",
            values);
    }
    // The same in a group: whole vectors in place, or one vector with `count` lanes.
    std::string load_of(const memory& m, const std::string& offset) const {
        const bool truth = m.at.type == dtype::bool_;
        const std::initializer_list<replacement> values = {
            {"m", truth ? "_mask" : ""}, {"v", truth ? "<M, L>" : "<L>"}, {"k", m.id}, {"o", offset}};
        return "whole ? " +
               with(m.is_contiguous(lane_) ? "fn::load$m$v(q$k$o + u * L)" : "fn::gather$m$v(q$k$o + u * L * p$k, p$k)",
                    values) +
               " : " + part_of(m, "c + v", offset);
    }

    std::string leaf(const instruction& i) const {
        const std::string k = std::to_string(i.a);
        if (i.code == op::scalar) return "a" + k;
        if (i.code == op::row) return "f" + k + "[u]";
        if (i.code == op::coord) {
            const std::size_t d = spec_.coords[i.a].dim;
            if (d == lane_) return coordinate_lanes(i.a, i.type, "c + v + u * L");
            if (d < lane_) return splat_of(i.type, coordinate_value(i.a, "i" + text(d)));
            return splat_of(i.type, "g" + text(static_cast<std::size_t>(&i - spec_.body.data())) + "[jj]");
        }
        const memory& m = memories_[i.a];
        if (is_splat(m)) return "z" + k;
        if (is_table(m)) return splat_of(m.at.type, "y" + k + "[jj]");
        if (is_invariant(m)) return "z" + k + "[u]";
        return load_of(m, " + o" + k + "[jj]");
    }

    // Row code over the rows of the tile, and the row stores behind the last.
    std::string row_code(const std::vector<std::uint16_t>& which, std::size_t section) const {
        const bool last = section == passes_.passes.size();
        if (which.empty() && (!last || spec_.row_stores.empty())) return "";
        std::string out =
            "            for (i64 v = 0; v < width; v += L) {\n"
            "                const i64 count = fn::min(L, width - v);\n";
        const std::string in = "                ";
        std::vector<bool> here(spec_.row.size(), false), wanted(spec_.row.size(), false);
        for (const std::uint16_t k : which) {
            here[k] = true;
            for_operands(spec_.row[k], [&](std::uint16_t a) { wanted[a] = true; });
        }
        if (last)
            for (const store& s : spec_.row_stores) wanted[s.value] = true;
        for (std::size_t k = 0; k < spec_.row.size(); ++k)
            if (wanted[k] && !here[k]) out += in + "const auto f" + text(k) + " = " + row_value(k, "v") + ";\n";
        out += lines(spec_.row, which, 'f', in, [&](const instruction& i) {
            if (i.code == op::total) return result_of(i.a, "tree" + std::to_string(i.a) + "[v / L]");
            if (i.code == op::scalar) return "a" + std::to_string(i.a);
            if (i.code == op::load)
                return is_splat(memories_[i.a]) ? "z" + std::to_string(i.a) : part_of(memories_[i.a], "c + v", "");
            const std::size_t d = spec_.coords[i.a].dim;
            if (d == lane_) return coordinate_lanes(i.a, i.type, "c + v");
            return splat_of(i.type, coordinate_value(i.a, "i" + text(d)));
        });
        for (const std::uint16_t k : which)
            if (crosses_[k]) out += in + with("fn::store(row$k + v, f$k);\n", {{"k", text(k)}});
        if (last)
            for (std::size_t s = 0; s < spec_.row_stores.size(); ++s) {
                const memory& m = memories_[spec_.loads.size() + spec_.stores.size() + s];
                out += in + with(m.is_contiguous(lane_) ? "fn::store_part<L>(ro$s + c + v, f$v, count);\n"
                                                        : "fn::spread<L>(ro$s, $e, c + v, count, f$v);\n",
                                 {{"s", text(s)}, {"v", text(spec_.row_stores[s].value)}, {"e", stride_of(m)}});
            }
        return out + "            }\n";
    }
    std::string row_value(std::size_t k, const std::string& at) const {
        return with(spec_.row[k].type == dtype::bool_ ? "fn::load_mask<M, L>(row$k + $at)" : "fn::load<L>(row$k + $at)",
                    {{"k", text(k)}, {"at", at}});
    }

    std::string pass(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        std::string out = row_code(now.row, p);
        out += with(
            "            const i64 from$p = block * $n, to$p = fn::min(runs, stop * $n);\n"
            "            for (i64 run = from$p; run < to$p; ++run) {\n"
            "                const i64 j = run * $R;\n                const int m = (int)fn::min($R, length - j);\n",
            {{"p", text(p)}, {"n", std::to_string(reduce_block / reduce_run)}, {"R", std::to_string(reduce_run)}});
        out += tables(p) + group(p);
        out +=
            "                for (i64 v = 0; v < width;) {\n"
            "                    const i64 whole = c + v >= in0 ? fn::min(width - v, in1 - c - v) : 0;\n"
            "                    if (H > G && whole >= H * L) {\n"
            "                        group(fn::number<H>(), fn::number<1>(), v, H * L);\n"
            "                        v += H * L;\n"
            "                    } else if (whole >= G * L) {\n"
            "                        group(fn::number<G>(), fn::number<1>(), v, G * L);\n"
            "                        v += G * L;\n"
            "                    } else {\n"
            "                        group(fn::number<1>(), fn::number<0>(), v, fn::min(L, width - v));\n"
            "                        v += L;\n"
            "                    }\n                }\n            }\n";
        if (now.reductions.empty()) return out;
        out += "            for (i64 v = 0; v < width; v += L) {\n";
        for (const std::uint16_t k : now.reductions)
            out += with("                tree$k[v / L] = fn::total(tree$k + v / L, W / L, to$p - from$p);\n",
                        {{"k", text(k)}, {"p", text(p)}});
        if (passes_.single()) {
            out += "                if (!partials) continue;\n";
            for (const std::uint16_t k : now.reductions)
                for (int part = 0; part < parts(k); ++part)
                    out += with(
                        "                fn::store_words(partials + ($n * blocks + block) * rows + line * n$l + c + v, "
                        "tree$k[v / L].a$p, fn::min(L, width - v));\n",
                        {{"n", text(first_part(k) + static_cast<std::size_t>(part))},
                         {"l", text(lane_)},
                         {"k", text(k)},
                         {"p", std::to_string(part)}});
        }
        out += "            }\n";
        if (passes_.single()) out += "            if (partials) continue;\n";
        return out;
    }

    // What the run has once for all rows: single values, and how far each element is from the first.
    std::string tables(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        const std::string in = "                    ";
        std::string lines;
        const auto offset = [&](const memory& m) {
            std::string sum;
            for (std::size_t d = row_dims_; d < spec_.rank; ++d) sum += m.term(d, "i" + text(d));
            return sum;
        };
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (m.is_load() ? !uses(p, op::load, k) : !stores_in(p)) continue;
            if (is_table(m)) lines += in + with("y$k[jj] = *(r$k$o);\n", {{"k", m.id}, {"o", offset(m)}});
            if (is_element(m)) lines += in + with("o$k[jj] = 0$o;\n", {{"k", m.id}, {"o", offset(m)}});
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            if (std::find(now.body.begin(), now.body.end(), k) != now.body.end())
                lines += in + with("g$k[jj] = ($T)$v;\n", {{"k", text(k)},
                                                           {"T", c_type(i.type)},
                                                           {"v", coordinate_value(i.a, "i" + text(spec_.coords[i.a].dim))}});
        });
        if (lines.empty()) return "";
        const std::size_t last = spec_.rank - 1U;
        std::string start = "                i64 left = j;\n";
        for (std::size_t d = last + 1; d-- > row_dims_;)
            start += with(d > row_dims_ ? "                i64 i$d = left % n$d;\n                left /= n$d;\n"
                                        : "                i64 i$d = left;\n",
                          {{"d", text(d)}});
        // The last index counts; where it is back at 0 the one before it does, and so on.
        std::string step = in + "++i" + text(last) + ";\n";
        for (std::size_t d = last; d > row_dims_; --d)
            step += in + with("if (i$d == n$d) i$d = 0, ++i$e;\n", {{"d", text(d)}, {"e", text(d - 1)}});
        return start + "                for (int jj = 0; jj < m; ++jj) {\n" + lines + step + "                }\n";
    }

    // group(vectors, whole, v, count): the run for rows [c + v, c + v + count).
    std::string group(std::size_t p) const {
        const std::string in = "                    ";
        std::string out =
            "                auto group = [&](auto vectors, auto in_place, i64 v, i64 count) __attribute__((always_inline)) "
            "{\n" +
            in + "constexpr int U = decltype(vectors)::value;\n" + in +
            "constexpr bool whole = decltype(in_place)::value;\n";
        out += operands_of_group(p, in) + accumulators_of_group(p, in) + in + "for (int jj = 0; jj < m; ++jj) {\n" +
               ahead_of_element(p, in) + "#pragma GCC unroll 8\n" + in + "    for (int u = 0; u < U; ++u) {\n" +
               element(p, in + "        ") + in + "    }\n" + in + "}\n";
        for (const std::uint16_t k : passes_.passes[p].reductions)
            out +=
                in + with(inner_order_
                              ? "tree$k[v / L] = fn::tree_of_elements(s$k, m);\n"
                              : "for (int u = 0; u < U; ++u) fn::push(tree$k + v / L + u, W / L, run - from$p, s$k[u]);\n",
                          {{"k", text(k)}, {"p", text(p)}});
        return out + "                };\n";
    }
    bool stores_in(std::size_t p) const { return p + 1 == passes_.passes.size(); }
    bool uses(std::size_t p, op code, std::size_t a) const {
        const std::vector<std::uint16_t>& body = passes_.passes[p].body;
        return std::any_of(body.begin(), body.end(),
                           [&](std::uint16_t k) { return spec_.body[k].code == code && spec_.body[k].a == a; });
    }

    // Where the group's rows begin, and what each row has once for the run.
    std::string operands_of_group(std::size_t p, const std::string& in) const {
        std::string out;
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (!is_element(m) && !is_invariant(m)) continue;
            if (m.is_load() ? !uses(p, op::load, k) : !stores_in(p)) continue;
            const bool clamped = m.dim(lane_).clamped;
            const std::string from = m.is_contiguous(lane_) ? " + c + v"
                                     : clamped              ? " + c" + m.id + "(c + v) * e" + m.id
                                                            : " + (c + v) * " + stride_of(m);
            out += in + m.type() + "* const q" + m.id + " = r" + m.id + from + ";\n";
            if (!m.is_contiguous(lane_))
                out += in + "const i64 p" + m.id + " = " + (clamped ? "c" + m.id + ".step * " : "") + stride_of(m) + ";\n";
            if (is_invariant(m))
                out += in + with("$T z$k[U];\n", {{"T", lanes_type(m.at.type)}, {"k", m.id}}) + in +
                       with("for (int u = 0; u < U; ++u) z$k[u] = $v;\n", {{"k", m.id}, {"v", load_of(m, "")}});
        }
        for (std::size_t k = 0; k < spec_.row.size(); ++k)
            if (uses(p, op::row, k))
                out +=
                    in + with("$T f$k[U];\n", {{"T", lanes_type(spec_.row[k].type)}, {"k", text(k)}}) + in +
                    with("for (int u = 0; u < U; ++u) f$k[u] = $v;\n", {{"k", text(k)}, {"v", row_value(k, "v + u * L")}});
        return out;
    }
    std::string accumulators_of_group(std::size_t p, const std::string& in) const {
        std::string out;
        for (const std::uint16_t k : passes_.passes[p].reductions) {
            out += in + with(inner_order_ ? "$S s$k[$r];\n" : "$S s$k[U];\n",
                             {{"S", sum_type(k)}, {"k", text(k)}, {"r", std::to_string(reduce_run)}});
            if (!inner_order_)
                out += in +
                       with("for (int u = 0; u < U; ++u) s$k[u] = $S::identity();\n", {{"S", sum_type(k)}, {"k", text(k)}});
        }
        return out;
    }
    // Rows far apart are beyond the processor's own guess at what comes next. Counts are those of the first vector.
    std::string ahead_of_element(std::size_t p, const std::string& in) const {
        if (inner_order_) return "";
        std::string out;
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (is_element(memories_[k]) && memories_[k].is_contiguous(lane_) && uses(p, op::load, k))
                out += in + with("    if (whole && U == G) fn::prefetch<G * L>(q$k + o$k[jj] + G * L);\n", {{"k", text(k)}});
        for (const std::uint16_t k : passes_.passes[p].reductions)
            each_count(k, [&](const std::string& part) {
                out += in + with("    const auto past$k = s$k[0].$p;\n", {{"k", text(k)}, {"p", part}});
            });
        return out;
    }
    // Element jj of vector u: computed, accumulated, stored.
    std::string element(std::size_t p, const std::string& deep) const {
        std::string out;
        for (const std::uint16_t k : passes_.passes[p].body)
            out += kept_.line(p, k, "(j + jj) * tile + v + u * L",
                              ssa_line(dialect_, spec_.body, k, 't', deep, [&](const instruction& i) { return leaf(i); }),
                              deep);
        for (const std::uint16_t k : passes_.passes[p].reductions) {
            if (inner_order_)
                out += deep + with("s$k[jj] = $S::identity();\n", {{"S", sum_type(k)}, {"k", text(k)}});
            else
                each_count(k, [&](const std::string& part) {
                    out += deep + with("s$k[u].$p = past$k;\n", {{"k", text(k)}, {"p", part}});
                });
            out += deep + with(inner_order_ ? "s$k[jj].$t($v);\n" : "s$k[u].$t($v);\n",
                               {{"k", text(k)}, {"t", take(k)}, {"v", lifted(k)}});
        }
        for (std::size_t s = 0; stores_in(p) && s < spec_.stores.size(); ++s) {
            const memory& m = memories_[spec_.loads.size() + s];
            const std::initializer_list<replacement> values = {
                {"k", m.id}, {"t", "t" + text(spec_.stores[s].value)}, {"e", stride_of(m)}};
            out += deep + "if constexpr (whole)\n" + deep +
                   with(m.is_contiguous(lane_) ? "    fn::store(q$k + o$k[jj] + u * L, $t);\n"
                                               : "    fn::scatter(q$k + o$k[jj] + u * L * p$k, p$k, $t);\n",
                        values) +
                   deep + "else\n" + deep +
                   with(m.is_contiguous(lane_) ? "    fn::store_part<L>(q$k + o$k[jj], $t, count);\n"
                                               : "    fn::spread<L>(r$k + o$k[jj], $e, c + v, count, $t);\n",
                        values);
        }
        return out;
    }

    const bool inner_order_;
    const std::size_t lane_;
    std::vector<std::size_t> section_;  // [row instruction]: its pass, or one behind the last
    std::vector<bool> crosses_;         // [row instruction]: needed behind its section
};

}  // namespace

std::string outer_rows(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t,
                       const std::string& name) {
    return outer_kernel(d, spec, map, t).text_of(name);
}

}  // namespace frit::v0::fusion::host
