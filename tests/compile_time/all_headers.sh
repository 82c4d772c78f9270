#!/usr/bin/env bash
# Every header of the tree in one translation unit: two classes of one name, in folders that never meet, would break C++'s
# one-definition rule without a word from compiler or linker. Left out: text that is included in the middle of others (the
# preludes), what nvcc compiles, and headers of libraries that may not be there.
# usage: all_headers.sh CHECKOUT COMPILER INCLUDE_FLAGS...
set -euo pipefail
cd "$1"
shift
find include/frit fusion src -name '*.hpp' | sort |
    grep -vE '^(fusion/codegen/host_prelude.*|src/cuda/cub/.*|include/frit/(eigen|odeint)\.hpp)$' |
    sed -E 's|^include/||; s|.*|#include "&"|' |
    "$@" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. -x c++ -
