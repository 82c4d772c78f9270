#!/usr/bin/env bash
# Compiled as C++11, 14 or 17 by mistake, every public header gives one error, which says what to do: as each of them where
# FRIT_TEST_ALL is 1, else as one, whose turn it is by the header and by the commit that FRIT_TEST_COMMIT names.
# usage: standard.sh COMPILER INCLUDE_FLAGS...
set -euo pipefail
include=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../include" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
standards=(11 14 17) turn=${FRIT_TEST_COMMIT:-0} count=0 failed=0
for header in "$include"/frit/*.hpp; do
    printf '#include <%s>\nint main() { frit::array<float> x{1, 2}, y = x + x; }\n' "frit/$(basename "$header")" >"$folder/main.cpp"
    chosen=("${standards[turn++ % 3]}")
    if [ "${FRIT_TEST_ALL:-}" = 1 ]; then chosen=("${standards[@]}"); fi
    for standard in "${chosen[@]}"; do
        if "$@" -std=c++$standard -fsyntax-only "$folder/main.cpp" >"$folder/log" 2>&1; then
            echo "compiles as C++$standard: $header" && failed=1
        fi
        if [ "$(grep -c 'error: ' "$folder/log")" -ne 1 ] || ! grep -q 'error: .*frit needs C++20' "$folder/log"; then
            echo "as C++$standard $header gives not the one error that it should:"
            grep 'error: ' "$folder/log" | head -3 | cut -c1-300
            failed=1
        fi
        count=$((count + 1))
    done
done
[ $count -gt 20 ] && [ $failed -eq 0 ] && echo "$count times one error, which names the standard"
