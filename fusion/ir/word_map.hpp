// The places of single run-time words of one spec: word_layout names the sections, this names the words in them. Both
// dialects and the interpreter unpack a kernel's parameters through it, so the order is written down once.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// Where the words of one access or coordinate in one dimension stand; 0 where there is no such word.
struct dim_words {
    std::uint32_t stride = 0;
    std::uint32_t step = 0, shift = 0, lo = 0, hi = 0;
};

struct word_map {
    explicit word_map(const kernel_spec& spec) : layout(spec) {
        std::uint32_t next = layout.accesses;
        const auto add = [&next](const access& a) {
            std::vector<dim_words> dims(a.dims.size());
            for (std::size_t k = 0; k < dims.size(); ++k) {
                if (a.dims[k].stride == stride_class::runtime) dims[k].stride = next++;
                if (a.dims[k].clamped) {
                    dims[k].step = next++;
                    dims[k].shift = next++;
                    dims[k].lo = next++;
                    dims[k].hi = next++;
                }
            }
            return dims;
        };
        for (const access& a : spec.loads) loads.push_back(add(a));
        for (const store& s : spec.stores) stores.push_back(add(s.to));
        for (const store& s : spec.row_stores) row_stores.push_back(add(s.to));
        for (const coordinate& c : spec.coords) {
            dim_words w{0, next, next + 1, 0, 0};
            if (c.clamped) w.lo = next + 2, w.hi = next + 3;
            next += words_of(c);
            coords.push_back(w);
        }
        next = layout.scalars;
        for (dtype t : spec.scalars) {
            scalars.push_back(next);
            next += kind_of(t) == dtype_kind::complex ? 2 : 1;
        }
    }

    word_layout layout;
    std::vector<std::vector<dim_words>> loads, stores, row_stores;  ///< [access][dim]
    std::vector<dim_words> coords;                                  ///< stride unused
    std::vector<std::uint32_t> scalars;
};

}  // namespace frit::v0::fusion
