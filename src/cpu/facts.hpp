// What frit::info() says about the CPU: the machine's own facts, and the libraries that the CPU engines look for.
#pragma once

#include <string>

#include "src/base/found_library.hpp"

namespace frit::inline v0::detail {

struct cpu_facts {
    std::string model;  ///< as the system calls it
    int cores = 0;      ///< physical ones; 0: the system does not tell
    int threads = 0;    ///< hardware threads that this process may use
};
cpu_facts facts_of_this_cpu();

found_library find_libmvec();
found_library find_openblas();
/// What the engine cxx would compile with: $CXX, or the first of the usual names that answers.
found_library find_host_compiler();

}  // namespace frit::v0::detail
