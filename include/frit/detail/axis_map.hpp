// What a view, an update or a reduction does to axes, as data. It stands apart from record.hpp because the planner reads it
// too, and shall know nothing of nodes and statements.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "frit/shape.hpp"

namespace frit::inline v0::detail {

/// How one axis of a view's source is indexed from the view's axes:
///   source index = clamp(offset + step * index[axis], lo, hi), or offset alone where axis is -1.
struct axis_map {
    int axis = -1;  ///< of a gather also index_axis(k): what its index operand k says
    std::int64_t offset = 0, step = 0;
    std::int64_t lo = 0, hi = INT64_MAX;  ///< clamped only where `clamped`: pad with edge values
    bool clamped = false;
};

/// As axis_map::axis: the index operand of this number says where. And back; negative where none does.
constexpr int index_axis(int operand) { return -2 - operand; }

/// The maps of an attribute. Most have few axes, whose maps stand in place: an attribute is one allocation then.
class axis_maps {
public:
    axis_maps() = default;
    axis_maps(std::initializer_list<axis_map> all) {
        for (const axis_map& m : all) push_back(m);
    }
    axis_maps(const axis_maps& o) { *this = o; }
    axis_maps& operator=(const axis_maps& o) {
        resize(o.size());
        for (std::size_t k = 0; k < size_; ++k) begin()[k] = o[k];
        return *this;
    }
    ~axis_maps() { delete[] all_; }

    std::size_t size() const noexcept { return size_; }
    void resize(std::size_t n) {
        if (n > few && !all_) {
            all_ = new axis_map[max_rank];
            for (std::size_t k = 0; k < size_; ++k) all_[k] = few_[k];
        }
        for (; size_ < n; ++size_) begin()[size_] = {};
        size_ = n;
    }
    void push_back(const axis_map& m) {
        resize(size_ + 1);
        back() = m;
    }
    axis_map* begin() noexcept { return all_ ? all_ : few_; }
    axis_map* end() noexcept { return begin() + size_; }
    axis_map& operator[](std::size_t k) noexcept { return begin()[k]; }
    axis_map& back() noexcept { return begin()[size_ - 1]; }
    const axis_map* begin() const noexcept { return all_ ? all_ : few_; }
    const axis_map* end() const noexcept { return begin() + size_; }
    const axis_map& operator[](std::size_t k) const noexcept { return begin()[k]; }

private:
    static constexpr std::size_t few = 2;
    axis_map few_[few];
    axis_map* all_ = nullptr;  ///< room for as many as an array can have axes, where `few` are not enough
    std::size_t size_ = 0;
};

/// The data of a view, update or coord instruction. Immutable and shared (intrusively counted).
struct attribute {
    enum class kind : std::uint8_t {
        affine,   ///< slice, index, transpose, newaxis, broadcast, flip, diagonal, edge pad: one axis_map per source axis
        reshape,  ///< same elements in row-major order, other extents
        coord,    ///< the index along axis maps[0].axis of `result`, as the instruction's integer dtype
        reduce,   ///< over the axes of `source` whose map has axis -1; `result` without them, or with extent 1 (keepdims)
        update,   ///< `maps` say, per axis of the BASE, which axis of the value lands there (offset, step)
        gather,   ///< as affine, but that some axes of the base are read where the index operands say, in their order
        iterate,  ///< of a loop, and of a state in its step: maps[0].axis is which state, offset the number of what a round
                  ///< does (src/graph/region.hpp), step how many operands; `result` the elements that it runs for. Of a
                  ///< recurrence maps[1].axis is the axis, and step 1, or -1 from the last element on
        call,     ///< maps[0].axis is which result of a call, offset the address of what runs it
                  ///< (src/engine/library_routine.hpp), step how many operands; `result` the result's shape
    };
    mutable std::atomic<std::uint32_t> references{1};
    attribute::kind what = kind::affine;
    shape source;  ///< shape of the operand (update: of the base)
    shape result;  ///< shape of the result (update: of the region, which the value broadcasts to)
    axis_maps maps;
    const void* keeps = nullptr;  ///< of a call and a loop: what it works with, which lives as long
    void (*let_go)(const void*) noexcept = nullptr;
    ~attribute() {
        if (let_go) let_go(keeps);
    }
};

/// How many index operands a gather has.
inline std::size_t index_operands(const attribute& gather) {
    std::size_t n = 0;
    for (const axis_map& m : gather.maps) n += m.axis < -1;
    return n;
}

/// A shared attribute.
class attribute_ref {
public:
    attribute_ref() = default;
    explicit attribute_ref(attribute* a) noexcept : p_(a) {}  ///< takes over the first reference
    attribute_ref(const attribute_ref& o) noexcept : p_(o.p_) {
        if (p_) p_->references.fetch_add(1, std::memory_order_relaxed);
    }
    attribute_ref(attribute_ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    attribute_ref& operator=(attribute_ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~attribute_ref() {
        if (p_ && p_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p_;
    }
    const attribute* get() const noexcept { return p_; }
    const attribute* operator->() const noexcept { return p_; }
    const attribute& operator*() const noexcept { return *p_; }

private:
    const attribute* p_ = nullptr;
};

}  // namespace frit::v0::detail
