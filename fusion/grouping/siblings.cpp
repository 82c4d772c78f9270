// See siblings.hpp. The values are gone through once; what keeps this linear is that each array remembers the last few
// groups that read it and no more, that a group is tried once for all arrays that a value's group reads together with it,
// and that the next value of the same group, where nothing has changed, takes over what was found.
#include "fusion/grouping/siblings.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// A look at one value's group; the values of one group share it as long as nothing changes.
using look_id = std::uint32_t;

/// For each array that is read over some domain, the last groups that do so, the oldest first. More are forgotten.
class array_readers {
public:
    class some_looks {
    public:
        look_id* begin() { return looks_; }
        look_id* end() { return looks_ + count_; }
        /// `look` takes the place of the one at `joined`, of the same group; where there is none, of the oldest.
        void put_last(look_id look, look_id* joined) {
            if (joined == end() && count_ < std::size(looks_)) {
                looks_[count_++] = look;
                return;
            }
            if (joined == end()) joined = begin();
            std::copy(joined + 1, end(), joined);
            looks_[count_ - 1] = look;
        }

    private:
        look_id looks_[4];
        std::uint32_t count_ = 0;
    };

    explicit array_readers(std::size_t values) : first_(values, none) {}

    some_looks& of(const shape* domain, value_id array) {
        std::uint32_t* at = &first_[array];
        while (*at != none && lists_[*at].domain != domain) at = &lists_[*at].next;
        if (*at != none) return lists_[*at].looks;
        *at = static_cast<std::uint32_t>(lists_.size());
        return lists_.emplace_back(list{domain, none, {}}).looks;
    }

private:
    struct list {
        const shape* domain;
        std::uint32_t next;  ///< of the same array, over another domain
        some_looks looks;
    };
    std::vector<std::uint32_t> first_;  ///< per array
    std::vector<list> lists_;
};

class sibling_search {
public:
    sibling_search(partition& p, std::vector<cut>& cuts) : p_(p), cuts_(cuts), readers_(p.g.values.size()) {}

    void run() {
        for (value_id v = 0; v < p_.g.values.size(); ++v) {
            if (!p_.computed(v) || p_.recomputed(v)) continue;
            const group_summary& s = p_.of(v).summary;
            if (s.in_place || s.library) continue;
            if (s.domain->size() <= 1 && s.reductions == 0) continue;  // a read more, no loop
            const value_id root = p_.find(v);
            if (settled_ && root == root_ && p_.version(root) == version_)
                take_over(v);
            else
                look_at(v, root);
        }
    }

private:
    void look_at(value_id v, value_id root) {
        root_ = root;
        version_ = p_.version(root);
        settled_ = true;
        look_ = static_cast<look_id>(last_.size());
        last_.push_back(v);
        noted_in_.push_back(0);
        start_round();
        const shape* const domain = p_.of(v).summary.domain;
        externals_ = p_.of(v).externals;
        for (value_id e : externals_) {
            const value_id array = below_views(p_.g, e);
            if (p_.g.values[array].code == op::coord) continue;
            auto& others = readers_.of(domain, array);
            const auto joined = std::find_if(others.begin(), others.end(), [&](look_id other) { return join(other, v); });
            settled_ = settled_ && joined != others.end() && joined + 1 == others.end();
            others.put_last(look_, joined);
        }
    }

    /// v is of the group last looked at, whose lists stayed as they were: looking again would find the same.
    void take_over(value_id v) {
        last_[look_] = v;
        for (const auto& [other, why] : noted_) cuts_.push_back({last_[other], v, why});
    }

    /// True where both end up in one group.
    bool join(look_id other_look, value_id v) {
        if (noted_in_[other_look] == round_) return false;
        p_.count(1);
        const value_id other = last_[other_look], root = p_.find(other);
        if (root == p_.find(v)) return true;
        auto known = std::find_if(refused_.begin(), refused_.end(), [&](const auto& r) { return r.first == root; });
        if (known == refused_.end()) {
            const bool apart = p_.window(other) != p_.window(v) || p_.of(other).summary.in_place || p_.has_path(other, v) ||
                               p_.has_path(v, other);
            const value_id pair[] = {other, v};
            std::string why = apart ? "" : p_.merge(pair);
            if (!apart && why.empty()) {
                start_round();  // v's group is another one now
                return true;
            }
            known = refused_.insert(known, {root, std::move(why)});
        }
        noted_in_[other_look] = round_;
        if (known->second.empty()) return false;
        cuts_.push_back({other, v, known->second});
        noted_.emplace_back(other_look, known->second);
        return false;
    }

    void start_round() {
        ++round_;
        refused_.clear();
        noted_.clear();
    }

    partition& p_;
    std::vector<cut>& cuts_;
    array_readers readers_;
    std::vector<value_id> last_;                             ///< per look: the last value that shares it
    std::vector<std::uint32_t> noted_in_;                    ///< per look: the round in which it was refused
    std::uint32_t round_ = 0;                                ///< a look at a group as it is
    std::vector<std::pair<value_id, std::string>> refused_;  ///< of the round, by root; no text: not worth a word
    std::vector<std::pair<look_id, std::string>> noted_;     ///< of the round: what explain() will say
    std::vector<value_id> externals_;
    // the last look
    value_id root_ = no_value;
    std::uint32_t version_ = 0;
    look_id look_ = none;
    bool settled_ = false;  ///< its group was the last in all of its lists: they stayed as they were
};

/// Loops over one domain that have nothing else in common become one: a launch less for each, which is what counts on
/// small arrays (the components of a state, say). Loops that touch many arrays stay apart.
void merge_equal_domains(partition& p) {
    constexpr std::uint32_t many = 24;
    std::unordered_map<const shape*, value_id> last;
    for (value_id v = 0; v < p.g.values.size(); ++v) {
        if (!p.computed(v) || p.recomputed(v)) continue;
        const group_summary& own = p.of(v).summary;
        if (own.in_place || own.library || own.has_rows() || own.domain->size() <= 1) continue;
        auto [it, fresh] = last.try_emplace(own.domain, v);
        const value_id other = std::exchange(it->second, v);
        if (fresh || p.find(other) == p.find(v) || p.window(other) != p.window(v)) continue;
        const group_summary& before = p.of(other).summary;
        if (before.loads + before.stores + own.loads + own.stores > many || p.has_path(other, v) || p.has_path(v, other))
            continue;
        const value_id pair[] = {other, v};
        p.merge(pair);  // nothing is lost by a refusal
    }
}

}  // namespace

void merge_siblings(partition& p, std::vector<cut>& cuts) {
    sibling_search(p, cuts).run();
    merge_equal_domains(p);
}

}  // namespace frit::v0::fusion
