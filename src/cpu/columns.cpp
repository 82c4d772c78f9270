// The number of columns is a constant of each loop, so that compilers make shuffles of it.
#include "src/cpu/columns.hpp"

#include "src/cpu/gather.hpp"

namespace frit::inline v0::detail {
namespace {

template <int Columns, class T>
void put(T* __restrict to, const void* const* from, std::int64_t lines) noexcept {
    const T* of[Columns];
    for (int c = 0; c < Columns; ++c) of[c] = static_cast<const T*>(from[c]);
    for (std::int64_t k = 0; k < lines; ++k)
        for (int c = 0; c < Columns; ++c) to[k * Columns + c] = of[c][k];
}

}  // namespace

void put_side_by_side(void* to, const void* const* from, std::int64_t columns, std::size_t size,
                      std::int64_t lines) noexcept {
    with_size(size, [&]<class T>(T) {
        T* const out = static_cast<T*>(to);
        switch (columns) {
            case 2: return put<2>(out, from, lines);
            case 3: return put<3>(out, from, lines);
            default: return put<most_columns>(out, from, lines);
        }
    });
}

}  // namespace frit::v0::detail
