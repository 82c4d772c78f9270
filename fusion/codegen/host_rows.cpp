// Which values are worth keeping from one pass over a row to the next; how a row, or a line of rows, starts.
#include "fusion/codegen/host_rows.hpp"

#include <algorithm>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int room = 64 << 10;  // bytes, on the stack
constexpr int slack = 64;       // elements: the last group of a row is stored whole

}  // namespace

crossing_values::crossing_values(const kernel_spec& spec, const row_passes& passes) {
    for (std::uint16_t k = 0; k < spec.body.size(); ++k) {
        const instruction& i = spec.body[k];
        if (!is_elementwise(i.code) || info(i.code).cost < cost_worth_keeping || i.type == dtype::bool_) continue;
        std::vector<std::size_t> users;
        for (std::size_t p = 0; p < passes.passes.size(); ++p)
            if (std::binary_search(passes.passes[p].body.begin(), passes.passes[p].body.end(), k)) users.push_back(p);
        if (users.size() < 2) continue;
        values_.push_back({k, users.front()});
        bytes_ += static_cast<int>(size_of(i.type));
    }
}

int crossing_values::count() const { return room / bytes_ / slack * slack; }

std::string crossing_values::declarations(const kernel_spec& spec, const std::string& elements) const {
    if (empty()) return "";
    const std::string n = std::to_string(count());
    std::string out;
    for (const value& v : values_)
        out += with(
            "    alignas(64) $T k$v[$n + $s];\n",
            {{"T", c_type(spec.body[v.name].type)}, {"v", std::to_string(v.name)}, {"n", n}, {"s", std::to_string(slack)}});
    return out + "    const bool kept = " + elements + " <= " + n + ";\n";
}

std::string crossing_values::line(std::size_t p, std::uint16_t name, const std::string& at, const std::string& computed,
                                  const std::string& indent) const {
    const auto v = std::find_if(values_.begin(), values_.end(), [name](const value& x) { return x.name == name; });
    if (v == values_.end()) return computed;
    const std::initializer_list<replacement> values = {{"v", std::to_string(name)}, {"at", at}};
    if (p == v->made) return computed + indent + with("if (kept) fn::store(k$v + $at, t$v);\n", values);
    const std::size_t equals = computed.find(" = ") + 3;
    return computed.substr(0, equals) + with("kept ? fn::load<L>(k$v + $at) : ", values) + computed.substr(equals);
}

row_text::row_text(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t)
    : kernel_text(d, spec, map, t),
      passes_(spec),
      kept_(crossing_values(spec, passes_)),
      row_dims_(spec.schedule == schedule_kind::reduce_all ? 0 : std::size_t{spec.rank} - spec.reduced) {}

bool row_text::moves_in_row(const memory& m) const {
    for (std::size_t d = row_dims_; d < spec_.rank; ++d)
        if (m.moves(d)) return true;
    return false;
}

std::string row_text::start_of(std::size_t dims, const std::string& number,
                               const std::function<bool(const memory&)>& is_splat) const {
    std::string out;
    if (dims > 1) out += "        i64 left = " + number + ";\n";
    for (std::size_t d = dims; d-- > 0;)
        out += with(dims == 1 ? "        const i64 i$d = $n;\n"
                    : d > 0   ? "        const i64 i$d = left % n$d;\n        left /= n$d;\n"
                              : "        const i64 i$d = left;\n",
                    {{"d", text(d)}, {"n", number}});
    for (std::size_t k = 0; k < memories_.size(); ++k) {
        const memory& m = memories_[k];
        out += "        " + m.type() + "* const r" + m.id + " = x" + m.id;
        for (std::size_t d = 0; d < dims; ++d) out += m.term(d, "i" + text(d));
        out += ";\n";
        if (!is_splat(m)) continue;
        const std::string value = row_code_reads(spec_, k) ? "*r$k" : "(length > 0 ? *r$k : ($T)1)";
        out += with("        const auto z$k = $v;\n",
                    {{"k", m.id}, {"v", splat_of(m.at.type, with(value, {{"k", m.id}, {"T", c_type(m.at.type)}}))}});
    }
    return out;
}

}  // namespace frit::v0::fusion::host
