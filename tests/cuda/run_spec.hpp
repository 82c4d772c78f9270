// Runs a kernel spec on a backend with host data: the words are filled in here, dimension by dimension, without the planner.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "fusion/ir/word_map.hpp"
#include "src/engine/backend.hpp"
#include "tests/cuda/specs.hpp"

namespace frit_test {

/// An array of a run: its bytes, and for each dimension of the domain the stride and (where the access is clamped) the
/// clamp.
struct operand {
    std::vector<unsigned char> bytes;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> step = {}, shift = {}, lo = {}, hi = {};
};

template <class T>
operand operand_of(const std::vector<T>& values, std::vector<std::int64_t> strides = {1}) {
    operand o{std::vector<unsigned char>(values.size() * sizeof(T)), std::move(strides)};
    if (!values.empty()) std::memcpy(o.bytes.data(), values.data(), o.bytes.size());
    return o;
}
inline operand operand_of(const std::vector<bool>& values, std::vector<std::int64_t> strides = {1}) {
    operand o{std::vector<unsigned char>(values.size()), std::move(strides)};
    for (std::size_t k = 0; k < values.size(); ++k) o.bytes[k] = values[k];
    return o;
}

template <class T>
std::vector<T> values_of(const operand& o) {
    std::vector<T> out(o.bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), o.bytes.data(), o.bytes.size());
    return out;
}

template <class T>
std::uint64_t word_of(T value) {
    std::uint64_t w = 0;
    std::memcpy(&w, &value, sizeof value);
    return w;
}

/// A spec ready to run again and again: its memory stays on the device.
class prepared_run {
public:
    /// `operands` by pointer word: loads first, then stores and scalar stores, as `builder` numbers them. `coords`: step and
    /// shift (and lo, hi where clamped) one after the other.
    prepared_run(frit::detail::backend& b, const kernel_spec& spec, const std::vector<std::int64_t>& extents,
                 const std::vector<operand>& operands, const std::vector<std::uint64_t>& scalars = {},
                 const std::vector<std::int64_t>& coords = {})
        : backend_(b), spec_(spec), kernel_(b.prepare(spec)) {
        const frit::fusion::word_map map(spec);
        words_.resize(map.layout.size);
        for (std::size_t d = 0; d < extents.size(); ++d)
            words_[map.layout.extents + d] = static_cast<std::uint64_t>(extents[d]);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            memory_.push_back(b.allocate(operands[k].bytes.size()));
            b.upload(*memory_.back().get(), 0, operands[k].bytes.data(), operands[k].bytes.size());
            words_[map.layout.pointers + k] = reinterpret_cast<std::uint64_t>(memory_.back()->data);
        }
        const auto fill = [&](const access& a, const std::vector<frit::fusion::dim_words>& places) {
            const operand& o = operands[a.pointer];
            for (std::size_t d = 0; d < a.dims.size(); ++d) {
                if (a.dims[d].stride == stride_class::runtime)
                    words_[places[d].stride] = static_cast<std::uint64_t>(o.strides[d]);
                if (!a.dims[d].clamped) continue;
                words_[places[d].step] = static_cast<std::uint64_t>(o.step[d]);
                words_[places[d].shift] = static_cast<std::uint64_t>(o.shift[d]);
                words_[places[d].lo] = static_cast<std::uint64_t>(o.lo[d]);
                words_[places[d].hi] = static_cast<std::uint64_t>(o.hi[d]);
            }
        };
        for (std::size_t k = 0; k < spec.loads.size(); ++k) fill(spec.loads[k], map.loads[k]);
        for (std::size_t k = 0; k < spec.stores.size(); ++k) fill(spec.stores[k].to, map.stores[k]);
        for (std::size_t k = 0; k < spec.row_stores.size(); ++k) fill(spec.row_stores[k].to, map.row_stores[k]);
        for (std::size_t k = 0; k < coords.size(); ++k)
            words_[map.layout.coords + k] = static_cast<std::uint64_t>(coords[k]);
        for (std::size_t k = 0; k < scalars.size(); ++k) words_[map.scalars[k]] = scalars[k];
    }

    void launch() {
        std::vector<std::uint64_t> words = words_;
        backend_.launch(*kernel_, spec_, words);
    }
    operand result(std::size_t pointer) const {
        operand o{std::vector<unsigned char>(memory_[pointer]->bytes), {}};
        backend_.download(o.bytes.data(), *memory_[pointer].get(), 0, o.bytes.size());
        return o;
    }

private:
    frit::detail::backend& backend_;
    kernel_spec spec_;
    std::shared_ptr<frit::detail::kernel> kernel_;
    std::vector<frit::detail::buffer_ref> memory_;
    std::vector<std::uint64_t> words_;
};

}  // namespace frit_test
