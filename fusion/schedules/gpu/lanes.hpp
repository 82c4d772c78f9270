// A thread's elements in three phases: read all, compute, write all. Lane k is element k of every array in the thread's
// registers. Flat domains, of pointwise kernels and of totals, are read and written here.
#pragma once

#include "fusion/schedules/gpu/windows.hpp"

namespace frit::inline v0::fusion::gpu {

/// `vector` neighbouring lanes are neighbouring elements; `groups` such vectors lie `jump_` apart.
class lane_builder : protected window_builder {
protected:
    lane_builder(const kernel_spec& s, std::string name, unsigned patch_columns)
        : window_builder(s, std::move(name), 1, patch_columns) {}

    unsigned lanes() const { return vector_ * groups_; }
    unsigned unroll() const { return unroll_of(weight_of(spec_.body), lanes()); }
    template <class F>
    void each_lane(F f) {
        loop("k", lanes(), f);
    }

    void declare_lanes();
    /// Of a flat domain: the element of lane k, from first_ on, where full_ says that all lanes are in the domain.
    value flat_lane(value k);
    value group_start(unsigned g) { return first_ + jump_ * g; }
    value vector_start(value k) { return groups_ == 1 ? first_ : first_ + k / vector_ * jump_; }
    value place_in_vector(value k) { return groups_ == 1 ? k : k % vector_; }
    void read_flat();
    void write_flat();
    void read_lane(std::size_t load, value k) {
        if (loads_[load].moves()) b_.put(loads_[load].each, k, read(load));
    }
    void write_lane(std::size_t store, value address, value k) { stream(address, results_[store], k, 1, 1); }

    // --- domains of several dimensions: where lanes are stored and their coordinates are kept from the reading phase ---
    struct strided_lanes {
        std::vector<array> places, coordinates;  ///< by store, by coordinate
    };
    strided_lanes declare_places();
    /// Lane k, which is at the indices i_; without windows, or coordinates, where others have read them.
    void read_places(const strided_lanes&, value k, bool windows, bool coordinates);
    template <class Inside>
    void write_places(const strided_lanes& kept, Inside inside) {
        if (spec_.stores.empty()) return;
        each_lane([&](value k) {
            b_.when(inside(k), [&] {
                for (std::size_t s = 0; s < spec_.stores.size(); ++s)
                    write_lane(s, pointer(spec_.stores[s].to, false) + kept.places[s][k], k);
            });
        });
    }
    value kept_coordinate(const strided_lanes& kept, const instruction& i, value k) {
        return b_.number(i.type, kept.coordinates[i.a][k]);
    }

    /// All lanes' values; `coordinate` says what a coordinate is in lane k, once `begin` has run there, `exists` whether
    /// that is an element of the domain, `done` sees them.
    template <class Begin, class Coordinate, class Exists, class Done>
    void compute(Begin begin, Coordinate coordinate, Exists exists, Done done) {
        compute(begin, coordinate, exists, done, [this](std::vector<value>& values, const leaf_value& leaf, value here) {
            b_.compute(spec_.body, all(spec_.body), "t", values, leaf, here);
        });
    }
    /// The same; `evaluate` writes the body of a lane.
    template <class Begin, class Coordinate, class Exists, class Done, class Evaluate>
    void compute(Begin begin, Coordinate coordinate, Exists exists, Done done, Evaluate evaluate) {
        const unsigned unrolled = unroll();
        loop(
            "k", lanes(),
            [&](value k) {
                begin(k);
                std::vector<value> values;
                const auto leaf = [&](const instruction& i) {
                    if (i.code == op::coord) return coordinate(i, k);
                    return i.code == op::load && loads_[i.a].moves() ? value(loads_[i.a].each[k]) : once(i);
                };
                evaluate(values, leaf, exists(k));
                keep(results_, k, values);
                done(k, values);
            },
            1, unrolled >= lanes() ? loops::wholly : unrolled);
    }
    /// Of a flat domain, or of lanes that were dealt out as if it were one.
    value lane_exists(value k) { return full_ || flat_lane(k) < count_; }
    /// What coordinates are where i_ says where the lane is.
    value coordinate_here(const instruction& i) { return b_.number(i.type, coordinate(i.a)); }
    void set_flat_index(value k) {
        set_index(0, flat_lane(k));
        b_.set_neighbours(vector_start(k), place_in_vector(k), vector_);
    }

    unsigned vector_ = 1, groups_ = 1;
    value jump_{}, first_{}, full_{}, count_{};
    std::vector<array> results_;

private:
    unsigned aligned(const access&) const;  ///< elements of one access, 1: no vectors
    bool in_runs(const access& a) const { return spec_.rank == 1 && a.window > 0; }
    bool is_lane_by_lane(const access& a) const { return aligned(a) == 1 && !in_runs(a); }
    void read_run(std::size_t load, unsigned group);
};

}  // namespace frit::v0::fusion::gpu
