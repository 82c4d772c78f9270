// Which values are worth keeping from one pass over a row to the next.
#include "fusion/codegen/host_rows.hpp"

#include <algorithm>

#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int dear = 16;        // cost of an op that a trip through the cache undercuts
constexpr int room = 64 << 10;  // bytes, on the stack
constexpr int slack = 64;       // elements: the last group of a row is stored whole

}  // namespace

crossing_values::crossing_values(const kernel_spec& spec, const row_passes& passes) {
    for (std::uint16_t k = 0; k < spec.body.size(); ++k) {
        const instruction& i = spec.body[k];
        if (!is_elementwise(i.code) || info(i.code).cost < dear || i.type == dtype::bool_) continue;
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

}  // namespace frit::v0::fusion::host
