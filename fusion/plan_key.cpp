// Plan keys. The structural one says when two graphs may share a grouping: same ops, dtypes and wiring, the same extents
// equal to each other, 0 or 1, and each in the same size class. The exact one adds every number, so that equal keys mean
// that the finished launches can be used again as they are.
#include <algorithm>

#include "fusion/plan.hpp"

namespace frit::inline v0::fusion {
namespace {

class key_builder {
public:
    explicit key_builder(const graph& g) : g_(g) {}

    plan_key run(bool fuse, memory_policy policy) {
        both(fuse | static_cast<std::uint64_t>(policy) << 1);
        both(g_.values.size());
        both(g_.leaves.size());
        both(g_.attributes.size());
        both(g_.outputs.size());
        both(g_.output_strides.size());
        both(g_.statement_starts.size());
        for (const value& v : g_.values) {
            both(static_cast<std::uint64_t>(v.code) | static_cast<std::uint64_t>(v.type) << 8 |
                 std::uint64_t{v.in_place} << 16 | std::uint64_t{v.stored} << 17 |
                 static_cast<std::uint64_t>(v.in.size()) << 32);
            both(v.index);
            extents(*v.extents);
            for (const value_id x : v.in) both(x);
        }
        for (const auto& [of, result] : g_.libraries) {
            both(reinterpret_cast<std::uintptr_t>(of));
            both(result);
        }
        for (const leaf_info& l : g_.leaves) {
            both(l.buffer | std::uint64_t{l.donatable} << 32 | std::uint64_t{l.strides.empty()} << 33);
            exact(static_cast<std::uint64_t>(l.offset));
            exact(std::min(l.alignment, 64u));
            both(l.strides.size());
            for (std::int64_t s : l.strides) exact(static_cast<std::uint64_t>(s));
        }
        for (const auto& a : g_.attributes) {
            both(static_cast<std::uint64_t>(a->what));
            extents(a->source);
            extents(a->result);
            both(a->maps.size());
            for (const detail::axis_map& m : a->maps) {
                both(static_cast<std::uint64_t>(m.axis + 1) | std::uint64_t{m.clamped} << 8 |
                     std::uint64_t{m.step < 0} << 9);
                exact(static_cast<std::uint64_t>(m.offset));
                exact(static_cast<std::uint64_t>(m.step));
                if (m.clamped) {
                    exact(static_cast<std::uint64_t>(m.lo));
                    exact(static_cast<std::uint64_t>(m.hi));
                }
            }
        }
        both(g_.loops.size());
        for (const loop_result& l : g_.loops) {
            loop(*l.loop, l.state);
            both(l.along);
        }
        both(g_.constants.size());
        for (const std::uint64_t bits : g_.constants) exact(bits);
        for (value_id v : g_.outputs) both(v);
        for (const auto& s : g_.output_strides) {
            both(s ? s->size() + 1 : 0);
            if (s)
                for (std::int64_t x : *s) exact(static_cast<std::uint64_t>(x));
        }
        for (value_id v : g_.statement_starts) both(v);
        key_.exact += key_.structure;
        return std::move(key_);
    }

private:
    void put(std::string& s, std::uint64_t x) { s.append(reinterpret_cast<const char*>(&x), sizeof x); }
    void both(std::uint64_t x) { put(key_.structure, x); }
    void exact(std::uint64_t x) { put(key_.exact, x); }

    void loop(const loop_spec& l, std::uint16_t state) {
        both(l.inputs.size() | l.code.size() << 16 | l.next.size() << 32 | std::uint64_t{l.until} << 48);
        both(state);
        for (const dtype t : l.inputs) both(static_cast<std::uint64_t>(t));
        for (const instruction& i : l.code) {
            both(static_cast<std::uint64_t>(i.code) | static_cast<std::uint64_t>(i.type) << 16);
            both(i.a | std::uint64_t{i.b} << 16 | std::uint64_t{i.c} << 32);
        }
        for (const std::uint16_t k : l.next) both(k);
        both(l.loops.size() | l.operation.size() << 32 | l.operands.size() << 48);
        for (const loop_spec& inside : l.loops) loop(inside, 0);
        for (const loop_spec& operation : l.operation) loop(operation, 0);
        for (const std::uint16_t input : l.operands) both(input);
    }

    void extents(const shape& s) {
        both(static_cast<std::uint64_t>(s.rank()));
        for (std::int64_t e : s) {
            exact(static_cast<std::uint64_t>(e));
            auto it = std::find(distinct_.begin(), distinct_.end(), e);
            if (it == distinct_.end() && distinct_.size() < 64) it = distinct_.insert(distinct_.end(), e);
            std::uint64_t size_class = 0;
            for (std::int64_t x = e; x > 1; x /= 4) ++size_class;
            const std::uint64_t small = e <= 1 ? static_cast<std::uint64_t>(e) : 2;
            // past 64 distinct extents, the extent itself stands for its class
            both(it == distinct_.end() ? static_cast<std::uint64_t>(e) << 16
                                       : static_cast<std::uint64_t>(it - distinct_.begin()) | small << 8 | size_class << 10);
        }
    }

    const graph& g_;
    plan_key key_;
    std::vector<std::int64_t> distinct_;
};

}  // namespace

plan_key key_of(const graph& g, bool fuse, memory_policy policy) { return key_builder(g).run(fuse, policy); }

}  // namespace frit::v0::fusion
