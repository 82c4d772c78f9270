// Tallies on a GPU: blocks count in shared memory, how often each element of a small array is named, and add what they have
// counted to the array at the end, by atomic operations on integers: in whatever order, the sums are the same. A counter
// has as many copies as there is room for, up to one for each lane of a warp, side by side: then lanes never meet in a
// bank, whatever they count. One counter more is for what is not to be counted: to leave it out would take a branch. A block
// lives as long as the kernel, and a thread has 16 elements on their way where their formula is short. What mends a few
// elements' places, where(doubtful, mended(place), place), is computed for those alone.
#include <algorithm>
#include <utility>
#include <vector>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/lanes.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned most_lanes = 16, warp = 32;

/// A choice whose first value is made of the second by many operations, which nothing else reads.
struct mending {
    std::uint16_t choice;
    std::vector<std::uint16_t> by;
};

bool has_effects(const instruction& i) { return is_part_of_loop(i) || i.code == op::state || i.code == op::index; }

/// What instruction `choice` alone needs for its first value, if that is a mending.
std::vector<std::uint16_t> mended_by(const kernel_spec& spec, std::uint16_t choice) {
    constexpr std::size_t many = 8;
    const auto& body = spec.body;
    const instruction& where = body[choice];
    std::vector<char> inside(body.size()), outside(body.size());
    for (const tally_spec& t : spec.tallies) outside[t.place] = outside[t.amount] = outside[t.count] = 1;
    bool reads_other = false;
    std::vector<std::uint16_t> list;
    inside[where.b] = 1;
    for (std::size_t k = body.size(); k-- > 0;) {
        const bool only_here = inside[k] && !outside[k] && operands_of(body[k]) > 0 && k != where.a && k != where.c;
        for (int n = 0; n < operands_of(body[k]); ++n)
            if (k != choice) (only_here ? inside : outside)[operand(body[k], n)] = 1;
        if (!only_here) continue;
        if (has_effects(body[k])) return {};
        for (int n = 0; n < operands_of(body[k]); ++n) reads_other = reads_other || operand(body[k], n) == where.c;
        list.insert(list.begin(), static_cast<std::uint16_t>(k));
    }
    return reads_other && list.size() >= many ? list : std::vector<std::uint16_t>();
}

std::vector<mending> mendings_of(const kernel_spec& spec) {
    std::vector<mending> all;
    for (std::uint16_t k = 0; k < spec.body.size(); ++k) {
        if (spec.body[k].code != op::where) continue;
        if (auto by = mended_by(spec, k); !by.empty()) all.push_back({k, std::move(by)});
    }
    return all;
}

class tallies : lane_builder {
public:
    tallies(const kernel_spec& s, const std::string& name)
        : lane_builder(s, name, 1), tally_(s.tallies[0]), mendings_(mendings_of(s)) {
        vector_ = s.rank == 1 ? s.vector_width : 1;
        groups_ = most_lanes / vector_;
        while (groups_ > 1 && unroll() < lanes()) groups_ /= 2;
    }

    loops::kernel build() {
        count_ = b_.let("n", extents(0, spec_.rank));
        jump_ = b_.let("jump", linear(blocks_x()) * (tally_threads * vector_));
        begin_counting();
        const value first = (linear(block_x()) * tally_threads + thread_x()) * vector_;
        b_.loop("first", first, count_, jump_ * groups_, loops::as_compilers_like, [&](value at) { step(at); });
        b_.barrier();
        add_up();
        return take(tally_threads, tally_blocks_per_sm);
    }

private:
    value word_of(std::uint16_t scalar, const loops::type& t) { return b_.word(map_.scalars[spec_.body[scalar].a], t); }

    void begin_counting() {
        counters_ = b_.declare("counters", loops::index_type(dtype::u32), tally_counters, loops::storage::shared);
        elements_ = b_.let("elements", word_of(tally_.count, loops::index_type(dtype::u32)));
        value copies = b_.constant(1, dtype::u32);
        for (unsigned k = 2; k <= warp; k *= 2)
            copies = b_.choice(elements_ < tally_counters / k, b_.constant(k, dtype::u32), copies);
        copies_ = b_.let("copies", copies);
        own_ = b_.let("own", bit_and(thread_x(), copies_ - 1));
        b_.loop("k", thread_x(), (elements_ + 1) * copies_, b_.constant(tally_threads, dtype::u32), loops::as_compilers_like,
                [&](value k) { b_.put(counters_, k, b_.constant(0, dtype::u32)); });
        b_.barrier();
    }

    // Where all elements exist nothing asks for each. At the end of the domain vectors come one by one, and the last one's
    // elements.
    void step(value first) {
        first_ = first;
        if (spec_.rank > 1) return several_dimensions();
        const value full = b_.let("full", group_start(groups_ - 1) + (vector_ - 1) < count_);
        b_.when(
            full, [&] { flat_elements(); }, [&] { vector_by_vector(); });
    }
    void flat_elements() {
        full_ = b_.truth(true);
        declare_lanes();
        read_flat();
        count_all(
            [this](value k) {
                if (!spec_.coords.empty()) set_flat_index(k);
            },
            [this](const instruction& i, value) { return coordinate_here(i); });
    }
    void vector_by_vector() {
        const value from = first_;
        const unsigned groups = std::exchange(groups_, 1U);
        b_.loop("g", number(0), number(groups), number(1), loops::not_at_all, [&](value g) {
            first_ = b_.let("at", from + linear(g) * jump_);
            b_.when(
                first_ + (vector_ - 1) < count_, [&] { flat_elements(); }, [&] { one_by_one(); });
        });
        groups_ = groups;
    }
    void one_by_one() {
        if (vector_ == 1) return;
        const value from = first_;
        const unsigned vector = std::exchange(vector_, 1U);
        b_.loop("e", number(0), number(vector), number(1), loops::not_at_all, [&](value e) {
            first_ = b_.let("at", from + linear(e));
            b_.when(first_ < count_, [&] { flat_elements(); });
        });
        vector_ = vector;
    }
    void several_dimensions() {
        full_ = b_.let("full", group_start(groups_ - 1) < count_);
        declare_lanes();
        const strided_lanes kept = declare_places();
        each_lane([&](value k) {
            decode(0, spec_.rank, b_.let("rest", b_.choice(lane_exists(k), flat_lane(k), first_)));
            read_places(kept, k, true, true);
        });
        count_all([](value) {}, [&](const instruction& i, value k) { return kept_coordinate(kept, i, k); });
    }

    template <class Begin, class Coordinate>
    void count_all(Begin begin, Coordinate coordinate) {
        const auto count = [this](value k, const std::vector<value>& body) {
            const value number = b_.make({.what = loops::code::cast,
                                          .is = loops::index_type(dtype::u32),
                                          .from = dtype::i32,
                                          .in = {body[tally_.place].id}});
            const value place = least(number, elements_);
            b_.when(lane_exists(k), [&] { b_.add_at(counters_.at(place * copies_ + own_), b_.constant(1, dtype::u32)); });
        };
        compute(
            begin, coordinate, [this](value k) { return lane_exists(k); }, count,
            [this](std::vector<value>& values, const leaf_value& leaf, value exists) { evaluate(values, leaf, exists); });
    }
    // A mending may be part of another one's: the outer one is written, and computes it as it stands.
    void evaluate(std::vector<value>& values, const leaf_value& leaf, value exists) {
        const auto& body = spec_.body;
        std::vector<char> later(body.size());
        std::vector<std::uint16_t> now;
        const auto write = [&](const std::vector<std::uint16_t>& which) {
            b_.compute(body, which, "t", values, leaf, exists);
        };
        for (const mending& m : mendings_)
            for (const std::uint16_t k : m.by) later[k] = 1;
        for (std::uint16_t k = 0; k < body.size(); ++k) {
            if (later[k]) continue;
            const auto m = std::find_if(mendings_.begin(), mendings_.end(), [k](const mending& x) { return x.choice == k; });
            if (m == mendings_.end()) {
                now.push_back(k);
                continue;
            }
            write(std::exchange(now, {}));
            const cell place = b_.declare(name("t", k), values[body[k].c]);
            const value doubtful = b_.make({.what = loops::code::cast,
                                            .is = loops::index_type(dtype::i32),
                                            .from = dtype::bool_,
                                            .in = {values[body[k].a].id}});
            b_.when(doubtful != 0, [&] {
                write(m->by);
                b_.set(place, values[body[k].b]);
            });
            values[k] = place;
        }
        write(now);
    }

    // Threads begin at different copies: neighbours would all read from one bank.
    void add_up() {
        const value to = b_.word(map_.layout.pointers + tally_.pointer, loops::address_of(tally_.type, false));
        const value amount = word_of(tally_.amount, loops::number_of(tally_.type));
        b_.loop("element", thread_x(), elements_, b_.constant(tally_threads, dtype::u32), loops::as_compilers_like,
                [&](value element) {
                    const cell sum = b_.declare("sum", b_.constant(0, dtype::u32));
                    b_.loop("k", b_.constant(0, dtype::u32), copies_, b_.constant(1, dtype::u32), loops::as_compilers_like,
                            [&](value k) {
                                const value copy = bit_and(k + thread_x(), copies_ - 1);
                                b_.set(sum, sum + counters_[element * copies_ + copy]);
                            });
                    b_.when(sum != 0, [&] {
                        const value times = b_.number(tally_.type, sum);
                        b_.add_at(to + element, b_.compute(op::mul, tally_.type, tally_.type, {times, amount}));
                    });
                });
    }

    const tally_spec& tally_;
    const std::vector<mending> mendings_;
    array counters_{};
    value elements_{}, copies_{}, own_{};
};

// No more elements a block than its counters hold.
launch_shape shape(const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 31;
    const std::uint64_t n = product(extents, 0, spec.rank);
    const std::uint64_t wanted = divide_up(n, std::uint64_t{tally_threads} * most_lanes);
    const std::uint64_t at_once = static_cast<std::uint64_t>(t.processors) * tally_blocks_per_sm;
    launch_shape s;
    s.grid[0] = blocks_across(std::max(std::min(wanted, at_once), divide_up(n, most_elements)));
    s.block[0] = tally_threads;
    return s;
}

}  // namespace

extern const gpu_schedule tallies_schedule{.name = "tallies",
                                           .takes = [](const kernel_spec& s) { return !s.tallies.empty(); },
                                           .loops = build<tallies>,
                                           .shape = shape};

}  // namespace frit::v0::fusion::gpu
