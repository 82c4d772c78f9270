// The part of C++23's std::mdspan that its users see, as small as it gets: C++20 has none, and frit promises to work with
// anything that looks like it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace small {

template <std::size_t... Extent>  // std::dynamic_extent: given at run time
struct extents {
    static constexpr std::size_t fixed[] = {Extent...};
    std::array<int, sizeof...(Extent)> counts{};
    extents() = default;
    explicit extents(const std::array<int, sizeof...(Extent)>& c) : counts(c) {}
};

struct layout_right {
    template <class E>
    struct mapping {
        E all;
        explicit mapping(const E& e) : all(e) {}
        int stride(std::size_t axis) const {
            int s = 1;
            for (std::size_t k = all.counts.size(); --k > axis;) s *= all.counts[k];
            return s;
        }
    };
};
struct layout_left {
    template <class E>
    struct mapping {
        E all;
        explicit mapping(const E& e) : all(e) {}
        int stride(std::size_t axis) const {
            int s = 1;
            for (std::size_t k = 0; k < axis; ++k) s *= all.counts[k];
            return s;
        }
    };
};
struct layout_stride {
    template <class E>
    struct mapping {
        E all;
        decltype(E::counts) steps;
        mapping(const E& e, const decltype(E::counts)& s) : all(e), steps(s) {}
        int stride(std::size_t axis) const { return steps[axis]; }
    };
};

template <class T, class Extents, class Layout = layout_right>
class mdspan {
public:
    using element_type = T;
    using reference = T&;
    using index_type = int;
    using extents_type = Extents;
    using mapping_type = typename Layout::template mapping<Extents>;

    mdspan(T* data, const decltype(Extents::counts)& counts) : data_(data), map_(Extents(counts)) {}
    mdspan(T* data, const mapping_type& map) : data_(data), map_(map) {}

    T* data_handle() const { return data_; }
    static constexpr std::size_t rank() { return std::size(Extents::fixed); }
    static constexpr std::size_t static_extent(std::size_t axis) { return Extents::fixed[axis]; }
    int extent(std::size_t axis) const { return map_.all.counts[axis]; }
    int stride(std::size_t axis) const { return map_.stride(axis); }
    template <class... I>
    T& operator()(I... index) const {
        const int at[] = {index...};
        int offset = 0;
        for (std::size_t k = 0; k < rank(); ++k) offset += at[k] * stride(k);
        return data_[offset];
    }

private:
    T* data_;
    mapping_type map_;
};

}  // namespace small
