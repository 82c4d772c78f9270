// Statements put together at run time: the same postfix programs that typed formulas fold to at compile time, so that a test
// may try any op on any dtypes without a template for each.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/values.hpp"

namespace frit_test {

/// Calls f with a value of the C++ type of `t`.
template <class F>
decltype(auto) by_type(frit::dtype t, F&& f) {
    switch (t) {
#define FRIT_X(name, type) \
    case frit::dtype::name: return f(type{});
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("not a dtype");
    }
}

/// Collects a statement operand by operand, each before the op that takes it.
class recorder {
public:
    /// A value that no array holds becomes part of the statement.
    void leaf(const frit::detail::user_ref& node) {
        code_.push_back({frit::op::leaf, node->type});
        leaves_.push_back(node);
    }
    void leaf(const frit::detail::handle_ref& node) { leaf(frit::detail::user_ref(node.get())); }
    /// A number that is a `t`: a complex one is made of two, a 16-bit one is the float32 that it is computed with.
    void scalar(frit::dtype t, std::complex<long double> value) {
        if (frit::is_complex(t)) {
            scalar(real_dtype(t), value.real());
            scalar(real_dtype(t), value.imag());
            return apply(frit::op::complex, t);
        }
        code_.push_back({frit::op::scalar, t});
        frit::detail::scalar_bits bits;
        by_type(t, [&]<class T>(T) {
            const auto v = static_cast<frit::cpp_type<frit::register_dtype(frit::dtype_of<T>)>>(to_element<T>(value));
            if constexpr (sizeof v <= sizeof bits.low) std::memcpy(&bits.low, &v, sizeof v);
        });
        scalars_.push_back(bits);
    }
    void cast(frit::dtype to) { code_.push_back({frit::op::cast, to}); }
    /// An elementwise op or a reduction; `result` is its dtype.
    void apply(frit::op o, frit::dtype result) { code_.push_back({o, result}); }
    /// The axes of the reduction that is applied next.
    void axes(frit::dtype result, const frit::detail::attribute_ref& over) {
        code_.push_back({frit::op::axes, result});
        attributes_.push_back(over);
    }

    int length() const { return static_cast<int>(code_.size()); }

    frit::detail::handle_ref record() const {
        std::vector<frit::detail::node_head*> nodes;
        for (const auto& l : leaves_) nodes.push_back(l.get());
        stored_program& p = program();
        const frit::detail::statement s{&p.folded, &p.slot, nodes.data(), scalars_.data(), attributes_.data(), {}};
        return frit::detail::handle_ref(frit::detail::record(s));
    }

private:
    struct stored_program {
        std::vector<frit::detail::instruction> code;
        frit::detail::program folded;
        frit::detail::static_slot slot{};
    };

    // Equal programs are one object, as one type of formula has one program and one slot; kept for ever, as those are.
    stored_program& program() const {
        using key = std::vector<std::tuple<frit::op, frit::dtype>>;
        static auto* const known = new std::map<key, std::unique_ptr<stored_program>>;
        key k;
        std::uint64_t hash = 0xcbf29ce484222325;
        for (const frit::detail::instruction& i : code_) {
            k.emplace_back(i.code, i.type);
            hash = (hash ^ (static_cast<std::uint64_t>(i.code) << 8 | static_cast<std::uint64_t>(i.type))) * 0x100000001b3;
        }
        std::unique_ptr<stored_program>& p = (*known)[k];
        if (!p) {
            p = std::make_unique<stored_program>();
            p->code = code_;
            p->folded = {p->code.data(),
                         static_cast<std::uint16_t>(code_.size()),
                         static_cast<std::uint16_t>(leaves_.size()),
                         static_cast<std::uint16_t>(scalars_.size()),
                         static_cast<std::uint16_t>(attributes_.size()),
                         hash,
                         false};
        }
        return *p;
    }

    std::vector<frit::detail::instruction> code_;
    std::vector<frit::detail::user_ref> leaves_;
    std::vector<frit::detail::scalar_bits> scalars_;
    std::vector<frit::detail::attribute_ref> attributes_;
};

}  // namespace frit_test
