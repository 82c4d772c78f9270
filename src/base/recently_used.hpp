// What is costly to make and was used lately, a bounded number of it: plans of libraries for Fourier transforms, regions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// Values by key, the one used last in front. The last ones go when there are more than `most`, or more than so many bytes
/// of them; who uses one still has it. Callers see to a lock.
template <class Key, class Value>
class recently_used {
public:
    recently_used(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

    /// The value of this key, made by make() if it is not there; bytes_of(value) says how much it keeps.
    template <class Make, class Bytes>
    std::shared_ptr<Value> get(const Key& key, Make make, Bytes bytes_of) {
        const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const entry& e) { return e.key == key; });
        if (known != kept_.end()) {
            std::rotate(kept_.begin(), known, known + 1);
            return kept_.front().value;
        }
        std::shared_ptr<Value> made = make();
        kept_.insert(kept_.begin(), {key, made, bytes_of(*made)});
        std::size_t bytes = 0, count = 0;
        while (count < kept_.size() && count < most_ && (bytes += kept_[count].bytes) <= most_bytes_) ++count;
        kept_.resize(std::max<std::size_t>(count, 1));
        return made;
    }

private:
    struct entry {
        Key key{};
        std::shared_ptr<Value> value{};
        std::size_t bytes = 0;
    };
    std::size_t most_, most_bytes_;
    std::vector<entry> kept_;
};

}  // namespace frit::v0::detail
