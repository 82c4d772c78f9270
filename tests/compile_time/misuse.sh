#!/usr/bin/env bash
# Compiles every case of misuse.txt: the right code of all cases must compile, the wrong code of each must fail with one error
# that says what the case expects. Of a deleted function that says what to write, clang shows the line of the declaration, or of
# the macro that makes it, in a note below the error, and may find a second error in what is done with the result: there it is
# enough that the first error is the deleted function. Cases run on all processors.
# usage: misuse.sh COMPILER INCLUDE_FLAGS...
set -euo pipefail
table=$(dirname "${BASH_SOURCE[0]}")/misuse.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=("$@" -std=c++20 -w -fsyntax-only -include "$folder/frit_case.hpp")

# One source file a case, and one with all that is right; what they include is precompiled once.
cat >"$folder/frit_case.hpp" <<'END'
#include <algorithm>
#include <frit/aot.hpp>
#include <frit/frit.hpp>
using namespace frit;
#define CASE(n) void case_##n(array<float> a, array<float> b, const array<float> c, array<double> d, array<int> i, array<bool> m)
END
"$@" -std=c++20 -w -x c++-header "$folder/frit_case.hpp" -o "$folder/frit_case.hpp.gch"
export deleted='^$'
if "$1" --version | grep -q clang; then deleted='deleted'; fi
count=0
while read -r key text; do
    case $key in
        wrong) count=$((count + 1)); echo "CASE($count) { $text }" >"$folder/$count.cpp"; echo "$text" >"$folder/$count.wrong" ;;
        right) echo "CASE($count) { $text }" >>"$folder/right.cpp" ;;
        says) echo "$text" >"$folder/$count.says" ;;
    esac
done <"$table"

check() {  # FOLDER CASE COMPILER...
    local folder=$1 n=$2
    shift 2
    if "$@" "$folder/$n.cpp" >"$folder/$n.log" 2>&1; then
        echo "compiles, but must not: $(cat "$folder/$n.wrong")"
        return 1
    fi
    local errors
    errors=$(grep -c 'error: ' "$folder/$n.log")
    # A message of frit's own must stand in the error itself, not in a note below it.
    local lines='' says
    says=$(cat "$folder/$n.says")
    if [[ $says == 'frit: '* ]] && grep 'error: ' "$folder/$n.log" | head -1 | grep -qE "$deleted"; then return 0; fi
    if [[ $says == 'frit: '* ]]; then lines='error: '; fi
    if [ "$errors" -ne 1 ] || ! grep "$lines" "$folder/$n.log" | grep -qE -- "$says"; then
        echo "$errors errors, and expected one that matches \"$says\": $(cat "$folder/$n.wrong")"
        grep 'error: ' "$folder/$n.log" | cut -c1-400
        return 1
    fi
}
export -f check

failed=0
if ! "${compiler[@]}" "$folder/right.cpp" >"$folder/right.log" 2>&1; then
    echo "the right code does not compile:"
    grep 'error: ' "$folder/right.log" | cut -c1-400
    failed=1
fi
seq $count | xargs -P "$(nproc)" -I{} bash -c 'check "$@"' check "$folder" {} "${compiler[@]}" || failed=1
[ $failed -eq 0 ] && echo "$count cases of misuse give one clear error each"
exit $failed
