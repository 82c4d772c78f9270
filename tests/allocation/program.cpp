// Runs the steps: see program.hpp.
#include "tests/allocation/program.hpp"

#include <algorithm>
#include <typeinfo>

namespace frit_test {

findings run_program(const std::vector<std::string>& only) {
    findings found;
    for (const auto& steps : {formula_steps(), memory_steps(), outside_steps()})
        for (const auto& [name, act] : steps) {
            if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
            ledger l(name);
            try {
                act(l);
                found.values[name] = l.text_;
            } catch (const frit::error& e) {
                found.refused.push_back(name + ": " + e.what());
                if (std::string(e.what()).empty()) l.wrong("an error without a text");
            } catch (const std::exception& e) {
                l.wrong(std::string("threw ") + typeid(e).name() + ": " + e.what());
            }
            found.wrong.insert(found.wrong.end(), l.wrong_.begin(), l.wrong_.end());
        }
    return found;
}

}  // namespace frit_test
