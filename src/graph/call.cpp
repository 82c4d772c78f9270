// See call.hpp.
#include "src/graph/call.hpp"

#include <cstdint>

#include "src/graph/context.hpp"
#include "src/graph/node.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {
namespace {

attribute_ref call_attribute(const library_routine& of, std::size_t result, std::size_t operands, const shape& extents,
                             kept_object keeps) {
    auto* a = new attribute;
    attribute_ref ref(a);
    a->what = attribute::kind::call;
    a->source = a->result = extents;
    a->maps = {{.axis = static_cast<int>(result),
                .offset = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&of)),
                .step = static_cast<std::int64_t>(operands)}};
    if (!keeps.object) return ref;
    keeps.retain(keeps.object);
    a->keeps = keeps.object;
    a->let_go = keeps.let_go;
    return ref;
}

}  // namespace

const library_routine& routine_of(const attribute& a) {
    return *reinterpret_cast<const library_routine*>(static_cast<std::intptr_t>(a.maps[0].offset));
}

std::vector<user_ref> record_call(const library_routine& of, std::span<const user_ref> arrays,
                                  std::span<const call_number> numbers, kept_object keeps, source_line where) {
    const auto overwritten = [&](std::size_t k) -> const user_ref& {
        return arrays[static_cast<std::size_t>(of.overwritten(k))];
    };
    std::vector<instruction> steps;
    std::vector<node_head*> leaves;
    std::vector<scalar_bits> scalars;
    for (const user_ref& x : arrays) {
        steps.push_back({op::leaf, x->meant});
        leaves.push_back(x.get());
    }
    for (const call_number& n : numbers) {
        steps.push_back({op::scalar, n.type});
        scalars.push_back(n.bits);
    }
    steps.push_back({op::call, overwritten(0)->meant});
    const attribute_ref first_attribute =
        call_attribute(of, 0, arrays.size() + numbers.size(), *overwritten(0)->extents, keeps);
    std::vector<user_ref> results;
    results.reserve(static_cast<std::size_t>(of.results));
    // No slot: a statement's plan is remembered with its attributes, which keep what the call works with.
    results.emplace_back(record({&program_of(steps).code, nullptr, leaves.data(), scalars.data(), &first_attribute, where}));
    node_head* const first = results[0].get();
    for (std::size_t k = 1; k < static_cast<std::size_t>(of.results); ++k) {
        const dtype type = overwritten(k)->meant;
        const shape& extents = *overwritten(k)->extents;
        const attribute_ref a = call_attribute(of, k, 1, extents, {});
        const instruction of_first[] = {{op::leaf, first->meant}, {op::call, type}};
        node* const n = make_pending(*as_node(first)->home,
                                     {&program_of(of_first).code, nullptr, &first, nullptr, &a, where}, extents, type);
        results.emplace_back(n);
        as_node(first)->home->join(*as_node(first), *n);
    }
    return results;
}

}  // namespace frit::v0::detail
