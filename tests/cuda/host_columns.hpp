// What only a GPU's kernels do on the host, for backends that stand in for a GPU. Of one that adds up its rows too
// (kernel_spec::columns) the CPU stores the terms, and here they are added up, one after the other, in as many lines as
// there are on the device. Rows by an associative operation, which blocks share there, are walked here as any recurrence is.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fusion/schedules/gpu/gpu.hpp"
#include "src/engine/backend.hpp"

namespace frit_test {

struct kernel_on_host final : frit::detail::kernel {
    frit::fusion::kernel_spec spec;  ///< that stores the terms, or walks along the rows
    std::shared_ptr<frit::detail::kernel> of_host;
    std::string source() const override { return of_host->source(); }
};

inline std::shared_ptr<frit::detail::kernel> prepare_on_host(frit::detail::backend& host,
                                                             const frit::fusion::kernel_spec& spec) {
    using frit::fusion::stride_class;
    const bool shared =
        std::any_of(spec.body.begin(), spec.body.end(), [&](const auto& i) { return is_associative(i, spec); });
    if (spec.columns.empty() && !shared) return host.prepare(spec);
    auto made = std::make_shared<kernel_on_host>();
    made->spec = spec;
    if (shared) made->spec.schedule = frit::fusion::schedule_kind::reduce_outer;
    made->spec.columns.clear();
    for (const frit::fusion::column_sum& c : spec.columns)
        made->spec.stores.push_back(
            {{.type = c.type, .pointer = c.pointer, .dims = {{stride_class::runtime}, {stride_class::one}}}, c.value});
    made->of_host = host.prepare(made->spec);
    return made;
}

template <class T>
void add_up_rows(const void* terms, void* lines, std::size_t rows, std::size_t columns, std::size_t parts) {
    const T* const from = static_cast<const T*>(terms);
    T* const to = static_cast<T*>(lines);
    std::memset(lines, 0, parts * columns * sizeof(T));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < columns; ++k) to[i * parts / rows * columns + k] += from[i * columns + k];
}

inline void launch_on_host(frit::detail::backend& host, const frit::detail::kernel& k, const frit::fusion::kernel_spec& spec,
                           std::span<std::uint64_t> words, std::string_view formula, const frit::fusion::target& device) {
    const auto* const summed = dynamic_cast<const kernel_on_host*>(&k);
    if (!summed) return host.launch(k, spec, words, formula);
    if (spec.columns.empty()) return host.launch(*summed->of_host, summed->spec, words, formula);
    const frit::fusion::word_layout from(spec), to(summed->spec);
    const std::size_t rows = words[from.extents], columns = words[from.extents + 1];
    std::size_t before = from.accesses;  // the words up to where those of the new stores belong
    for (const frit::fusion::access& a : spec.loads) before += words_of(a);
    for (const frit::fusion::store& s : spec.stores) before += words_of(s.to);
    std::vector<std::uint64_t> all(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(before));
    all.insert(all.end(), spec.columns.size(), columns);
    all.insert(all.end(), words.begin() + static_cast<std::ptrdiff_t>(before), words.end());
    std::vector<std::vector<std::uint64_t>> terms;
    for (const frit::fusion::column_sum& c : spec.columns) {
        terms.emplace_back(rows * columns + 1);
        all[to.pointers + c.pointer] = reinterpret_cast<std::uint64_t>(terms.back().data());
    }
    host.launch(*summed->of_host, summed->spec, all, formula);
    const std::size_t parts = gpu_launch_shape(gpu_schedule_of(spec), spec, words.data() + from.extents, device).grid[0];
    for (std::size_t c = 0; c < spec.columns.size(); ++c) {
        void* const lines = reinterpret_cast<void*>(words[from.pointers + spec.columns[c].pointer]);
        const auto add = frit::size_of(spec.columns[c].type) == 8 ? add_up_rows<double> : add_up_rows<float>;
        add(terms[c].data(), lines, rows, columns, parts);
    }
}

/// reserve() of the same.
inline void reserve_on_host(frit::detail::backend& host, const frit::detail::kernel& k,
                            const frit::fusion::kernel_spec& spec, std::span<const std::uint64_t> words) {
    if (!dynamic_cast<const kernel_on_host*>(&k)) host.reserve(k, spec, words);
}

}  // namespace frit_test
