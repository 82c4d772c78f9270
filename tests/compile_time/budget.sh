#!/usr/bin/env bash
# What user code pays: including frit/frit.hpp takes at most 1.0 s, 20 different formulas at most 1.6 s more, with -O2. Counted
# in seconds of processor time, the least of three runs, so that a busy machine does not fail it.
# usage: budget.sh COMPILER INCLUDE_FLAGS...
set -euo pipefail
formulas=$(dirname "${BASH_SOURCE[0]}")/../../benchmarks/compile_time/formulas.txt
compiler=("$@" -std=c++20 -O2 -c -o /dev/null)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '#include <frit/frit.hpp>' | tee "$folder/include.cpp" >"$folder/formulas.cpp"
count=0
while read -r formula; do
    echo "void formula_$((count++))(frit::array<float>& r, const frit::array<float>& a, const frit::array<float>& b," \
        "const frit::array<float>& c, const frit::array<float>& d) { $formula }"
done <"$formulas" >>"$folder/formulas.cpp"

"${compiler[@]}" "$folder/formulas.cpp"  # once outside the clock: files come into memory, errors end the test
milliseconds() {
    local TIMEFORMAT='%3U %3S' least=1000000 run user system now
    for run in 1 2 3; do
        read -r user system <<<"$({ time "${compiler[@]}" "$1" >&3 2>&3; } 3>&2 2>&1)"
        now=$((10#${user/./} + 10#${system/./}))
        [ $now -lt $least ] && least=$now
    done
    echo $least
}
include=$(milliseconds "$folder/include.cpp")
more=$(($(milliseconds "$folder/formulas.cpp") - include))
echo "including frit/frit.hpp: $include ms, $count formulas: $more ms more"
[ "$count" -eq 20 ] && [ "$include" -le 1000 ] && [ "$more" -le 1600 ]
