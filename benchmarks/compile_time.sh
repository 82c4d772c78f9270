#!/usr/bin/env bash
# The claim: code that uses frit compiles quickly. Times a file that only includes the header, and one with 20 different
# formulas besides, for frit, Eigen and xtensor: the same text, since all three find functions by argument. Medians of
# runs in turns; the compiler is $CXX (default g++) with -O2.
# usage: compile_time.sh [RUNS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-5}
compiler=(${CXX:-g++} -std=c++20 -O2 -c -o /dev/null -Iinclude -isystem /usr/include/eigen3)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mapfile -t formulas <benchmarks/compile_time/formulas.txt
write() {  # LIBRARY HEADERS TYPE
    local n=0 header
    for header in $2; do echo "#include <$header>"; done >"$folder/$1-include.cpp"
    {
        cat "$folder/$1-include.cpp"
        for formula in "${formulas[@]}"; do
            echo "void formula_$((n++))($3& r, const $3& a, const $3& b, const $3& c, const $3& d) { $formula }"
        done
    } >"$folder/$1-formulas.cpp"
}
libraries=()
add() {  # the library takes part if its header compiles
    write "$@"
    if "${compiler[@]}" "$folder/$1-include.cpp" 2>"$folder/errors"; then
        libraries+=("$1")
    else
        echo "$1: left out, its header does not compile here"
    fi
}
add frit frit/frit.hpp "frit::array<float>"
[ ${#libraries[@]} -eq 1 ] || { cat "$folder/errors"; exit 1; }
add eigen Eigen/Core "Eigen::ArrayXf"
add xtensor "xtensor/xtensor.hpp xtensor/xmath.hpp" "xt::xtensor<float, 1>"

milliseconds() {
    local start=${EPOCHREALTIME/./}
    "${compiler[@]}" "$1"
    echo $(((${EPOCHREALTIME/./} - start) / 1000))
}
for ((run = 0; run < runs; ++run)); do
    for library in "${libraries[@]}"; do
        for what in include formulas; do milliseconds "$folder/$library-$what.cpp" >>"$folder/$library-$what.ms"; done
    done
done
median() { sort -n "$1" | sed -n "$((runs / 2 + 1))p"; }
echo "compile times with ${CXX:-g++} -O2, median of $runs, in ms"
printf '%-10s %10s %22s\n' library "#include" "20 formulas, more"
for library in "${libraries[@]}"; do
    include=$(median "$folder/$library-include.ms")
    printf '%-10s %10d %22d\n' "$library" "$include" $(($(median "$folder/$library-formulas.ms") - include))
done
