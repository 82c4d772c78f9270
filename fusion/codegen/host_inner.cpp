// Host text of reductions whose lanes run along the row: reduce_inner, and reduce_all as its case of one row. A row is
// evaluated block by block. Groups of 64 elements that lie whole in a line of the innermost dimension, away from clamped
// edges, go to 64 accumulators in registers; what is left goes one vector at a time, with only its own lanes.
#include "fusion/codegen/host_rows.hpp"
#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion::host {
namespace {

// Up to these lengths lanes run across rows after all: with one part to a reduction, and with several, whose tree is
// expensive.
constexpr std::int64_t short_row = 4, short_row_of_parts = 16;
constexpr std::size_t unrolled_body = 32;  // larger bodies gain nothing from 64 elements in flight but compile time
constexpr std::size_t unrolled_text =
    160;  // instructions of a group of 64: below, what is left of a row is unrolled as well
// Bytes from a load to what is fetched with it: compilers order the loads of a group as they like, and in most orders the
// processor does not see a stream in them.
constexpr std::size_t fetch_ahead = 2048;

class inner_kernel : row_text {
public:
    inner_kernel(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t)
        : row_text(d, spec, map, t), line_(spec.rank - 1U), packed_(spec.rank - row_dims_ > 1) {}

    std::string text_of(const std::string& name) const {
        const bool rows = spec_.schedule == schedule_kind::reduce_inner;
        std::string out = lanes() + accumulators();
        if (rows) out += outer_rows(dialect_, spec_, map_, target_, "short_rows");
        out += "extern \"C\" void " + name +
               "(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {\n" + parameters(line_);
        out +=
            with("    const i64 rows = $r, length = $l, blocks = (length + $B - 1) / $B;\n",
                 {{"r", product(0, row_dims_)}, {"l", product(row_dims_, spec_.rank)}, {"B", std::to_string(reduce_block)}});
        if (rows)
            out += with(
                "    if (length > 0 && length <= $n && 2 * (last - first) >= L)\n"
                "        return short_rows(w, first, last, block, stop, partials);\n",
                {{"n", std::to_string(parts_of(spec_) > static_cast<int>(spec_.reductions.size()) ? short_row_of_parts
                                                                                                  : short_row)}});
        out += kept_.declarations(spec_, "length") + far_stores(line_);
        out += "    for (i64 row = first; row < last; ++row) {\n" + row_start();
        for (std::size_t p = 0; p < passes_.passes.size(); ++p) out += pass(p);
        if (spec_.schedule != schedule_kind::reduce_all) {
            out += row_code(passes_.row_at_end);
            for (std::size_t s = 0; s < spec_.row_stores.size(); ++s)
                out +=
                    with("        fn::store_first(ro$s, f$v);\n", {{"s", text(s)}, {"v", text(spec_.row_stores[s].value)}});
        }
        return out + "    }\n" + finish_far_stores(line_) + "}\n";
    }

private:
    /// One value for the whole row.
    bool is_splat(const memory& m) const { return m.is_load() && !moves_in_row(m); }
    bool is_element(const memory& m) const { return m.what != memory::kind::row_store && !is_splat(m); }
    std::string line(const memory& m) const { return (packed_ ? "l" : "r") + m.id; }
    std::string clamp_of(const memory& m) const { return m.dim(line_).clamped ? "c" + m.id + ", " : ""; }
    std::string stride_of(const memory& m) const { return m.moves(line_) ? "e" + m.id : "0"; }

    // Indices, pointers and single values of the row; set_line(line) where a row has several lines.
    std::string row_start() const {
        std::string out = start_of(row_dims_, "row", [this](const memory& m) { return is_splat(m); });
        if (!packed_) return out;
        out += "        i64 ";
        for (std::size_t d = row_dims_; d < line_; ++d) out += (d > row_dims_ ? ", i" : "i") + text(d) + " = 0";
        out += ";\n";
        std::string lines;
        for (std::size_t d = line_; d-- > row_dims_;)
            lines +=
                with(d > row_dims_ ? "            i$d = at % n$d;\n            at /= n$d;\n" : "            i$d = at;\n",
                     {{"d", text(d)}});
        for (const memory& m : memories_) {
            if (!is_element(m)) continue;
            out += with("        $T* l$k = r$k;\n        alignas(64) $E b$k[L];\n",
                        {{"T", m.type()}, {"E", c_type(m.at.type)}, {"k", m.id}});
            lines += "            l" + m.id + " = r" + m.id;
            for (std::size_t d = row_dims_; d < line_; ++d) lines += m.term(d, "i" + text(d));
            lines += ";\n";
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            out += with("        alignas(64) $T bk$k[L];\n", {{"T", c_type(i.type)}, {"k", text(k)}});
        });
        return out + "        auto set_line = [&](i64 at) __attribute__((always_inline)) {\n" + lines + "        };\n";
    }

    std::string row_code(const std::vector<std::uint16_t>& which) const {
        return lines(spec_.row, which, 'f', "        ", [&](const instruction& i) {
            const std::string k = std::to_string(i.a);
            if (i.code == op::total) return "total" + k;
            if (i.code == op::scalar) return "a" + k;
            if (i.code == op::load) return "z" + k;
            return splat_of(i.type, coordinate_value(i.a, "i" + std::to_string(spec_.coords[i.a].dim)));
        });
    }

    // What the body reads, at place j behind the cursors q of a group that can be read in place.
    std::string in_place(const instruction& i, const std::string& j) const {
        const std::string k = std::to_string(i.a);
        if (i.code == op::scalar) return "a" + k;
        if (i.code == op::row) return "f" + k;
        if (i.code == op::coord) {
            const std::size_t d = spec_.coords[i.a].dim;
            if (d == line_) return coordinate_lanes(i.a, i.type, "i + " + j);
            return splat_of(i.type, coordinate_value(i.a, "i" + text(d)));
        }
        const memory& m = memories_[i.a];
        const std::initializer_list<replacement> values = {
            {"v", m.at.type == dtype::bool_ ? "_mask<M, L>" : "<L>"}, {"k", k}, {"j", j}};
        if (is_splat(m)) return "z" + k;
        if (!m.moves(line_)) return splat_of(m.at.type, "*q" + k);
        if (m.is_contiguous(line_)) return with("fn::load$v(q$k + $j)", values);
        return with("fn::gather$v(q$k + ($j) * p$k, p$k)", values);
    }
    // The same for `count` lanes from element i of the line on, whatever they are.
    std::string any_lanes(const instruction& i) const {
        const std::size_t k = static_cast<std::size_t>(&i - spec_.body.data());
        const bool moves =
            i.code == op::load ? !is_splat(memories_[i.a]) : i.code == op::coord && spec_.coords[i.a].dim >= row_dims_;
        if (!moves) return in_place(i, "0");
        const std::string kind = i.type == dtype::bool_ ? "_mask" : "", lanes = i.type == dtype::bool_ ? "<M, L>" : "<L>";
        if (packed_)
            return "direct ? " + in_place(i, "0") + " : fn::load" + kind + lanes + "(" +
                   (i.code == op::load ? "b" + std::to_string(i.a) : "bk" + text(k)) + ")";
        if (i.code == op::coord) return in_place(i, "0");
        const memory& m = memories_[i.a];
        if (m.is_contiguous(line_))
            return with("fn::load$m_part$v(r$k + i, count)", {{"m", kind}, {"v", lanes}, {"k", m.id}});
        return with("fn::collect$m$v(r$k, $e, $ci, count)",
                    {{"m", kind}, {"v", lanes}, {"k", m.id}, {"e", stride_of(m)}, {"c", clamp_of(m)}});
    }

    std::string cursors(const std::string& indent) const {
        std::string out;
        for (const memory& m : memories_) {
            if (!is_element(m)) continue;
            const bool clamped = m.dim(line_).clamped;
            std::string first = " + i";
            if (!m.moves(line_))
                first = "";
            else if (clamped)
                first = " + c" + m.id + "(i) * e" + m.id;
            else if (!m.is_contiguous(line_))
                first = " + i * e" + m.id;
            out += indent + m.type() + "* const q" + m.id + " = " + line(m) + first + ";\n";
            if (!m.is_contiguous(line_) && (m.moves(line_) || !m.is_load()))
                out += indent + with(!m.moves(line_) ? "const i64 p$k = 0;\n"  // rows of one element
                                     : clamped       ? "const i64 p$k = c$k.step * e$k;\n"
                                                     : "const i64 p$k = e$k;\n",
                                     {{"k", m.id}});
            if (may_be_far(m, line_))
                out += indent + with("const bool past$k = far$k && fn::is_aligned<L>(q$k);\n", {{"k", m.id}});
        }
        return out;
    }

    std::string body(std::size_t p, const std::string& indent, const std::string& at, const leaf_speller& leaf) const {
        std::string out;
        for (const std::uint16_t k : passes_.passes[p].body)
            out += kept_.line(p, k, at, ssa_line(dialect_, spec_.body, k, 't', indent, leaf), indent);
        return out;
    }

    bool reads(const row_pass& now, std::size_t load) const {
        return std::any_of(now.body.begin(), now.body.end(),
                           [&](std::uint16_t k) { return spec_.body[k].code == op::load && spec_.body[k].a == load; });
    }

    /// Whether everything stays in registers, the last part of a group as well.
    bool is_short(const row_pass& now) const {
        for (const memory& m : memories_)
            if (is_element(m) && m.dim(line_).clamped) return false;
        return !packed_ && now.body.size() * 64 / static_cast<std::size_t>(lanes_) <= unrolled_text;
    }

    std::string pass(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        const bool totals = spec_.schedule != schedule_kind::reduce_all;
        std::string out = row_code(now.row);
        for (const std::uint16_t k : now.reductions)
            if (totals)
                out += with("        fn::pairwise<$S> sums$k;\n        $S all$k = $S::identity();\n",
                            {{"S", sum_type(k)}, {"k", text(k)}});
        out += with(
            "        for (i64 b = block; b < fn::min(blocks, stop); ++b) {\n"
            "            i64 j = b * $B;\n            const i64 end = fn::min(length, j + $B), used = end - j;\n",
            {{"B", std::to_string(reduce_block)}});
        for (const std::uint16_t k : now.reductions)
            out += with(
                "            $S s$k[64 / L];\n$u            for (int v = 0; v < 64 / L; ++v) s$k[v] = $S::identity();\n",
                {{"S", sum_type(k)}, {"k", text(k)}, {"u", "#pragma GCC unroll 32\n"}});
        out += is_short(now) ? short_block(p) : any_block(p);
        for (const std::uint16_t k : now.reductions)
            out += with("            const $S done$k = fn::tree<L, 32 / L>(s$k, used);\n",
                        {{"S", sum_type(k)}, {"k", text(k)}});
        if (passes_.single()) {
            out += "            if (partials) {\n";
            for (const std::uint16_t k : now.reductions)
                for (int part = 0; part < parts(k); ++part)
                    out +=
                        with("                fn::store_words(partials + ($n * blocks + b) * rows + row, done$k.a$p, 1);\n",
                             {{"n", text(first_part(k) + static_cast<std::size_t>(part))},
                              {"k", text(k)},
                              {"p", std::to_string(part)}});
            out += "                continue;\n            }\n";
        }
        for (const std::uint16_t k : now.reductions)
            if (totals)
                out += with(
                    "            if (blocks == 1)\n                all$k = done$k;\n            else\n"
                    "                sums$k.push(done$k);\n",
                    {{"k", text(k)}});
        out += "        }\n";
        if (!totals) return out;
        if (passes_.single()) out += "        if (partials) continue;\n";
        for (const std::uint16_t k : now.reductions)
            out +=
                with("        if (blocks > 1) all$k = sums$k.total();\n        const auto total$k = fn::everywhere($r);\n",
                     {{"k", text(k)}, {"r", result_of(k, "all" + text(k))}});
        return out;
    }

    // Rows that are read in place: groups of 64, then a part of one, all in registers.
    std::string short_block(std::size_t p) const {
        const std::string in = "                ", deep = in + "    ";
        std::string out = "            const i64 i = 0;\n" + cursors("            ") +
                          "            for (; j + 64 <= end; j += 64) {\n" + group(p, in, "j", "j") +
                          "            }\n            if (j < end) {\n#pragma GCC unroll 32\n" + in +
                          "for (int u = 0; u < 64 / L; ++u) {\n" + deep +
                          "const i64 i = j + u * L, count = fn::min(L, end - i);\n" + deep + "if (count <= 0) break;\n";
        out += body(p, deep, "i", [&](const instruction& i) { return any_lanes(i); });
        for (const std::uint16_t k : passes_.passes[p].reductions)
            out += deep + with("$S next$k = s$k[u];\n", {{"S", sum_type(k)}, {"k", text(k)}}) + deep +
                   with("next$k.$t($v);\n", {{"k", text(k)}, {"t", take(k)}, {"v", lifted(k)}}) + deep +
                   with("s$k[u] = next$k.keep(s$k[u], count);\n", {{"k", text(k)}});
        if (p + 1 == passes_.passes.size()) out += stores(deep);
        return out + in + "}\n            }\n";
    }

    // Any row: groups of 64 where they lie in a line and away from clamped edges, else one vector at a time.
    std::string any_block(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        std::string out;
        for (const std::uint16_t k : now.reductions)
            out += with("            $S acc$k[64 / L];\n            for (int v = 0; v < 64 / L; ++v) acc$k[v] = s$k[v];\n",
                        {{"S", sum_type(k)}, {"k", text(k)}});
        out += "            while (j < end) {\n";
        if (packed_)
            out += with(
                "                const i64 at = j / n$n, i = j - at * n$n, line_end = fn::min(n$n, i + end - j);\n"
                "                set_line(at);\n",
                {{"n", text(line_)}});
        else
            out += "                const i64 i = j, line_end = end;\n";
        out += "                i64 in0 = i, in1 = line_end;\n";
        for (const memory& m : memories_)
            if (is_element(m) && m.dim(line_).clamped) out += "                c" + m.id + ".narrow(in0, in1);\n";
        if (now.body.size() <= unrolled_body)
            out += "                if (j % 64 == 0 && i >= in0 && i + 64 <= in1) {\n" + groups(p) +
                   "                    continue;\n                }\n";
        out += one_vector(p) + "            }\n";
        for (const std::uint16_t k : now.reductions)
            out += with("            for (int v = 0; v < 64 / L; ++v) s$k[v] = acc$k[v];\n", {{"k", text(k)}});
        return out;
    }

    std::string groups(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        const std::string in = "                    ";
        std::string out = cursors(in) + in + "const i64 count = (in1 - i) / 64 * 64;\n";
        for (const std::uint16_t k : now.reductions)
            out += in + with("for (int u = 0; u < 64 / L; ++u) s$k[u] = acc$k[u];\n", {{"k", text(k)}});
        out += in + "for (i64 g = 0; g < count; g += 64) {\n" + group(p, in + "    ", "g", "j + g") + in + "}\n";
        for (const std::uint16_t k : now.reductions)
            out += in + with("for (int u = 0; u < 64 / L; ++u) acc$k[u] = s$k[u];\n", {{"k", text(k)}});
        return out + in + "j += count;\n";
    }
    // One group of 64, at place `at` behind the cursors, element `place` of the row. All accumulators have added up as many
    // elements here, so that one division by their number serves them all.
    std::string group(std::size_t p, const std::string& in, const std::string& first, const std::string& place) const {
        const row_pass& now = passes_.passes[p];
        const std::string deep = in + "    ", at = first + " + u * L";
        std::string out;
        for (std::size_t k = 0; p == 0 && k < spec_.loads.size(); ++k)  // later passes find the row in the cache
            if (memories_[k].is_contiguous(line_) && reads(now, k))
                out += in + with("fn::prefetch<64>(q$k + $at + $n);\n",
                                 {{"k", text(k)}, {"at", first}, {"n", text(fetch_ahead / size_of(spec_.loads[k].type))}});
        for (const std::uint16_t k : now.reductions)
            each_count(k, [&](const std::string& part) {
                out += in + with("const auto past$k = s$k[0].$p;\n", {{"k", text(k)}, {"p", part}});
            });
        out += "#pragma GCC unroll 32\n" + in + "for (int u = 0; u < 64 / L; ++u) {\n";
        out += body(p, deep, place + " + u * L", [&](const instruction& i) { return in_place(i, at); });
        for (const std::uint16_t k : now.reductions) {
            each_count(k, [&](const std::string& part) {
                out += deep + with("s$k[u].$p = past$k;\n", {{"k", text(k)}, {"p", part}});
            });
            out += deep + with("s$k[u].$t($v);\n", {{"k", text(k)}, {"t", take(k)}, {"v", lifted(k)}});
        }
        if (p + 1 == passes_.passes.size())
            for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
                const memory& m = memories_[spec_.loads.size() + s];
                out += deep + with(may_be_far(m, line_)     ? "fn::stream(q$k + $j, t$t, past$k);\n"
                                   : m.is_contiguous(line_) ? "fn::store(q$k + $j, t$t);\n"
                                                            : "fn::scatter(q$k + ($j) * p$k, p$k, t$t);\n",
                                   {{"k", m.id}, {"j", at}, {"t", text(spec_.stores[s].value)}});
            }
        return out + in + "}\n";
    }
    // One vector: the last one, one at a clamped edge, or one that spans lines and is collected from them.
    std::string one_vector(std::size_t p) const {
        const row_pass& now = passes_.passes[p];
        const std::string in = "                ";
        std::string out = in + "const i64 count = fn::min(L, end - j);\n";
        if (packed_) {
            out += in + "const bool direct = i >= in0 && i + L <= in1;\n" + cursors(in);
            std::string lines;
            for (const memory& m : memories_)
                if (m.is_load() && is_element(m))
                    lines += with("                        fn::fill(b$k + done, n, l$k, $e, $cat, n);\n",
                                  {{"k", m.id}, {"e", stride_of(m)}, {"c", clamp_of(m)}});
            each_coordinate([&](std::size_t k, const instruction& i) {
                const std::size_t d = spec_.coords[i.a].dim;
                lines += with("                        for (i64 k = 0; k < n; ++k) bk$k[done + k] = ($T)$v;\n",
                              {{"k", text(k)},
                               {"T", c_type(i.type)},
                               {"v", coordinate_value(i.a, d == line_ ? "(at + k)" : "i" + text(d))}});
            });
            std::string rest;
            for (const memory& m : memories_)
                if (m.is_load() && is_element(m)) rest += " b" + m.id + "[k] = 1;";
            each_coordinate([&](std::size_t k, const instruction&) { rest += " bk" + text(k) + "[k] = 1;"; });
            if (!lines.empty())
                out += in + "if (!direct) {\n" + pieces(lines) + in + "    for (i64 k = count; k < L; ++k) {" + rest +
                       " }\n" + in + "}\n";
        }
        out += body(p, in, "j", [&](const instruction& i) { return any_lanes(i); });
        for (const std::uint16_t k : now.reductions)
            out += in + with("$S& home$k = acc$k[j % 64 / L];\n", {{"S", sum_type(k)}, {"k", text(k)}}) + in +
                   with("$S next$k = home$k;\n", {{"S", sum_type(k)}, {"k", text(k)}}) + in +
                   with("next$k.$t($v);\n", {{"k", text(k)}, {"t", take(k)}, {"v", lifted(k)}}) + in +
                   with("home$k = next$k.keep(home$k, count);\n", {{"k", text(k)}});
        if (p + 1 == passes_.passes.size()) out += stores(in);
        return out + in + "j += count;\n";
    }
    std::string stores(const std::string& in) const {
        std::string out, lines;
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            const memory& m = memories_[spec_.loads.size() + s];
            const bool contiguous = m.is_contiguous(line_);
            const std::initializer_list<replacement> values = {
                {"k", m.id}, {"t", "t" + text(spec_.stores[s].value)}, {"e", stride_of(m)}};
            if (packed_) {
                out += in + with("fn::store(b$k, $t);\n", values);
                lines += with("                        fn::spill(l$k, $e, at, n, b$k + done);\n", values);
            } else {
                out += in + with(contiguous ? "fn::store_part<L>(r$k + i, $t, count);\n"
                                            : "fn::spread<L>(r$k, $e, i, count, $t);\n",
                                 values);
            }
        }
        return lines.empty() ? out : out + pieces(lines);
    }
    // `lines` for every piece of a line in the vector: n elements from column `at`, lanes [done, done + n).
    std::string pieces(const std::string& lines) const {
        return with(
                   "                    for (i64 done = 0, n; done < count; done += n) {\n"
                   "                        const i64 line = (j + done) / n$n, at = j + done - line * n$n;\n"
                   "                        n = fn::min(count - done, n$n - at);\n"
                   "                        set_line(line);\n",
                   {{"n", text(line_)}}) +
               lines + "                    }\n";
    }

    const std::size_t line_;
    const bool packed_;
};

}  // namespace

std::string inner_rows(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t,
                       const std::string& name) {
    return inner_kernel(d, spec, map, t).text_of(name);
}

}  // namespace frit::v0::fusion::host
