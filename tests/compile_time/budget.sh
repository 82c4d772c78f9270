#!/usr/bin/env bash
# What user code pays: including frit/frit.hpp and 20 different formulas, with -O2. Counted in what the compiler allocates for
# its own objects, which is the same in every run and grows with what it instantiates; benchmarks/compile_time.sh has seconds.
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

megabytes() {  # the last column of g++'s line "TOTAL"
    "${compiler[@]}" -ftime-report "$1" 2>"$folder/report" || { cat "$folder/report" >&2; exit 1; }
    sed -En 's/^ *TOTAL.* ([0-9]+)M *$/\1/p' "$folder/report"
}
include=$(megabytes "$folder/include.cpp")
all=$(megabytes "$folder/formulas.cpp")
if [ -z "$include" ] || [ -z "$all" ]; then
    echo "both compile; this compiler does not report what it allocates"
    exit 77
fi
echo "including frit/frit.hpp: $include MB, $count formulas: $((all - include)) MB more"
# The seconds that these stand for are about half of what benchmarks/RESULTS.md allows.
[ "$count" -eq 20 ] && [ "$include" -le 158 ] && [ "$((all - include))" -le 155 ]
