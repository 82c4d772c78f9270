// What the loops of all GPU kernels share: indices and words, the accesses of a spec, its reductions' accumulators. One
// class per schedule builds on it. Elements are counted by unsigned indices (`linear`), places in arrays by signed ones
// (`offset`).
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/word_map.hpp"
#include "fusion/loops/build.hpp"
#include "fusion/machine/cuda_shape.hpp"

namespace frit::inline v0::fusion::gpu {

using loops::array;
using loops::cell;
using loops::launch_index;
using loops::leaf_value;
using loops::value;

using numbers = std::vector<std::uint16_t>;  // of instructions, loads or reductions

/// An operand in a thread's registers: one value for all of its elements, or one for each.
struct operand_lanes {
    value one{};
    array each{};
    bool moves() const { return one.in == nullptr; }
};

class kernel_builder {
protected:
    kernel_builder(const kernel_spec&, std::string name);
    loops::kernel take(unsigned threads, unsigned blocks_per_sm = 0);
    static std::string name(const std::string& what, std::size_t k) { return what + std::to_string(k); }

    // --- indices ---
    value linear(value v) { return b_.to(linear_, v); }
    value offset(value v) { return b_.to(offset_, v); }
    value number(std::int64_t n) { return b_.constant(n, dtype::i32); }
    value thread_x() { return b_.launch(launch_index::thread_x); }
    value thread_y() { return b_.launch(launch_index::thread_y); }
    value block_x() { return b_.launch(launch_index::block_x); }
    value block_y() { return b_.launch(launch_index::block_y); }
    value threads_x() { return b_.launch(launch_index::threads_x); }
    value threads_y() { return b_.launch(launch_index::threads_y); }
    value blocks_x() { return b_.launch(launch_index::blocks_x); }
    value blocks_y() { return b_.launch(launch_index::blocks_y); }
    value extent(unsigned d) { return b_.word(map_.layout.extents + d, loops::index_type(linear_)); }
    value extents(unsigned first, unsigned last);  ///< their product
    /// The block's number in a grid of two dimensions.
    value block() { return linear(block_y()) * blocks_x() + block_x(); }

    void set_index(unsigned d, value element) { i_[d] = b_.let(name("i", d), offset(element)); }
    /// Sets the indices i_[first, last) to those of the element `rest` of these dimensions, row-major: a division for each
    /// but the first.
    void decode(unsigned first, unsigned last, value rest);
    /// The same as variables, which `carry` moves on to the element `by` further.
    std::vector<cell> decode_variables(unsigned first, unsigned last, value rest, const char* prefix = "i");
    void carry(const std::vector<cell>& indices, unsigned first, unsigned by);

    /// for (int <name> = 0; <name> < count; <name> += step), unrolled: wholly, where nothing else is said. A loop of one
    /// step is none.
    template <class F>
    void loop(const std::string& name, unsigned count, F body, unsigned step = 1, std::uint32_t unroll = loops::wholly) {
        if (count <= step) return body(number(0));
        b_.loop(name, number(0), number(count), b_.constant(step, dtype::i32), unroll, body);
    }

    // --- accesses, at the indices i_ ---
    value load_address(std::size_t k) { return address(spec_.loads[k], map_.loads[k], true); }
    value store_address(std::size_t k) { return address(spec_.stores[k].to, map_.stores[k], false); }
    value row_store_address(std::size_t k) { return address(spec_.row_stores[k].to, map_.row_stores[k], false); }
    value read(std::size_t load) { return b_.read(load_address(load)); }
    /// The load, or 0.
    value read_if(value there, std::size_t load) {
        return b_.choice(there, read(load), b_.whole_number(spec_.loads[load].type, 0));
    }
    /// Elements of one access, of `most` neighbours in the last dimension.
    unsigned width_of(const access& a, unsigned most) const;
    /// In registers, from lane `first` on, to memory: elements leave the caches first.
    void stream(value to, const array& from, value first, unsigned count, unsigned width) {
        b_.copy_out(to, from.at(first), {count, width, 1, loops::cache::streamed});
    }
    void stream_one(value to, value number) {
        const array one = b_.declare("one", number.is(), 1);
        b_.put(one, 0, number);
        stream(to, one, this->number(0), 1, 1);
    }
    value pointer(const access& a, bool constant) {
        return b_.word(map_.layout.pointers + a.pointer, loops::address_of(a.type, constant));
    }
    value place(const access&, const std::vector<dim_words>&);  ///< elements behind the pointer
    value address(const access& a, const std::vector<dim_words>& w, bool constant) {
        return pointer(a, constant) + place(a, w);
    }
    /// The index of a coordinate.
    value coordinate(std::size_t k);
    value scalar(std::size_t k) { return b_.word(map_.scalars[k], loops::number_of(spec_.scalars[k])); }

    // --- a thread's elements, in registers ---
    array zeros(std::size_t load, unsigned count) {
        return b_.declare_zeros(name("l", load), loops::number_of(spec_.loads[load].type), count);
    }
    std::vector<array> declare_results(unsigned count);
    /// Keeps what the body has made of the element in this lane.
    void keep(const std::vector<array>& results, value lane, const std::vector<value>& body) {
        for (std::size_t s = 0; s < results.size(); ++s) b_.put(results[s], lane, body[spec_.stores[s].value]);
    }
    void store_element(const std::vector<value>& body) {
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) stream_one(store_address(s), body[spec_.stores[s].value]);
    }
    /// A scalar, a coordinate at the indices i_, or a load that is one value.
    value once(const instruction&);

    // --- where no clamp is reached ---
    value affine_place(const access&, const std::vector<dim_words>&);
    value affine_coordinate(std::size_t k);
    /// What a step in dimension d adds to affine_place.
    value affine_stride(const access&, const std::vector<dim_words>&, std::size_t d);
    /// Of a flat kernel's clamped load: whether no clamp moves the indices i_ and the `count - 1` behind it, and whether
    /// clamps make them all the same.
    value is_unclamped_run(std::size_t load, unsigned count);
    value is_one_element(std::size_t load, unsigned count);
    /// The first or last index of dimension d at which no clamp is reached.
    value unclamped(unsigned d, bool last) { return step_word(map_.layout.unclamped + 2 * d + last); }

    // --- accumulators ---
    value start(std::size_t r) { return b_.accumulate(loops::code::identity, loops::accumulator_of(r), {}); }
    value taken(value a, value b) { return b_.accumulate(loops::code::taken, {a, b}); }
    /// Of one element, from the values of the body.
    value lifted(std::size_t r, const std::vector<value>& body);
    /// The number that op::total is.
    value total(std::size_t r, value accumulator);
    /// Where partial results of reduction r (behind the last: of running values) begin behind the tickets, if those before
    /// it have so many each.
    value partials(std::size_t r, value count);

    // --- of kernels over rows: the dimensions from kept_dims_ on are a row's ---
    bool moving(std::size_t load) const { return moves_in(spec_.loads[load], kept_dims_, spec_.rank); }
    /// Loads that do not move in a row, once.
    void read_unmoving(value there) {
        for (std::size_t k = 0; k < loads_.size(); ++k)
            if (!moving(k)) loads_[k].one = b_.let(name("l", k), read_if(there, k));
    }
    /// Calls f(k) at the index of each `step`th of the `pack` elements from `at` on, in rows of one dimension.
    template <class F>
    void each_of_pack(unsigned pack, value at, unsigned step, F f) {
        const auto one = [&](value k) {
            set_index(kept_dims_, at + k);
            f(k);
        };
        loop("k", pack, one, step);
    }
    /// Results from lane `first` on to those of them that exist: where the row does, `there`, in front of `stop`.
    void store_pack(unsigned pack, value at, value stop, value there, const std::vector<array>& results, value first) {
        for (std::size_t s = 0; s < results.size(); ++s) {
            const unsigned width = width_of(spec_.stores[s].to, pack);
            each_of_pack(pack, at, width, [&](value k) {
                b_.when(there && at + k < stop, [&] { stream(store_address(s), results[s], first + k, width, width); });
            });
        }
    }
    /// Accumulators of these reductions take in a pack of elements, `at` and those behind it of a row that ends at `stop`,
    /// by a tree: put(r, of(r) behind it). `full`: all of them exist.
    template <class Of, class Put>
    void take_pack(const numbers& which, unsigned pack, value at, value full, value stop, const std::vector<array>& elements,
                   Of of, Put put) {
        const auto first = [&](std::uint16_t r) { return elements[r].at(number(0)); };
        b_.when(
            full,
            [&] {
                for (const std::uint16_t r : which)
                    put(r, taken(of(r), b_.accumulate(loops::code::tree, loops::accumulator_of(r), {first(r)}, pack)));
            },
            [&] {
                const value left = b_.to(dtype::i32, stop - at);
                const value count = b_.let("count", b_.choice(at < stop, left, number(0)));
                for (const std::uint16_t r : which)
                    put(r, b_.accumulate(loops::code::tree_part, {of(r), first(r), count}, pack));
            });
    }
    void store_row(const std::vector<value>& row) {
        for (std::size_t s = 0; s < spec_.row_stores.size(); ++s)
            stream_one(row_store_address(s), row[spec_.row_stores[s].value]);
    }

    numbers all(const std::vector<instruction>& code) const;

    const kernel_spec& spec_;
    const word_map map_;
    const dtype linear_, offset_;
    loops::builder b_;
    std::vector<value> i_;  ///< by dimension
    const unsigned kept_dims_;
    std::vector<operand_lanes> loads_;

private:
    value step_word(std::uint32_t w) { return b_.word(w, loops::index_type(offset_)); }
    value clamped(const dim_words&, value index);
    value moved(const dim_words& w, value index) { return step_word(w.step) * index + step_word(w.shift); }
    value sum_of(const access&, const std::vector<dim_words>&, bool clamps);
};

}  // namespace frit::v0::fusion::gpu
