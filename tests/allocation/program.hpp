// A program that uses everything of frit, in steps that know what they must find: run while memory is refused, a step either
// gives the values that it always gives, or ends in an error of frit's and leaves what it held as it was.
#pragma once

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/allocation/failing_memory.hpp"

namespace frit_test {

/// What a run of the program has found.
struct findings {
    std::map<std::string, std::string> values;  ///< of the steps that came to their end: all results, as text
    std::vector<std::string> wrong;             ///< whatever should not have happened
    std::vector<std::string> refused;           ///< steps that ended in an error of frit's, with its text
};

/// What a step writes down.
class ledger {
public:
    explicit ledger(std::string step) : step_(std::move(step)) {}

    template <class T>
    void note(const std::vector<T>& values) {
        for (const auto v : values) text_ += std::to_string(static_cast<double>(v)) + " ";
        text_ += '\n';
    }
    void note(const std::string& text) { text_ += text + '\n'; }
    void wrong(const std::string& what) { wrong_.push_back(step_ + ": " + what); }

private:
    friend findings run_program(const std::vector<std::string>& only);
    std::string step_, text_;
    std::vector<std::string> wrong_;
};

/// Looks at its end, however that comes about, whether an array has the values that it must have.
template <class T>
class watched {
public:
    watched(ledger& l, const frit::array<T>& a, std::vector<T> want) : ledger_(l), array_(a), want_(std::move(want)) {}
    watched(const watched&) = delete;
    watched& operator=(const watched&) = delete;
    ~watched() {
        const memory_granted now;
        try {
            if (!array_.empty() && array_.to_vector() != want_) ledger_.wrong("an array has other values than before");
        } catch (const std::exception& e) {
            ledger_.wrong(std::string("an array has lost its values: ") + e.what());
        }
    }
    void now(std::vector<T> want) { want_ = std::move(want); }

private:
    ledger& ledger_;
    const frit::array<T>& array_;
    std::vector<T> want_;
};

/// Owners of borrowed memory and tensors of others, made and given back.
struct lending {
    static inline std::atomic<int> lent{0}, returned{0};
};

using step = std::pair<std::string, std::function<void(ledger&)>>;
/// In program_*.cpp; `all_steps` is them in order.
std::vector<step> formula_steps();
std::vector<step> memory_steps();
std::vector<step> outside_steps();

/// The steps of these names, or all.
findings run_program(const std::vector<std::string>& only = {});

}  // namespace frit_test
