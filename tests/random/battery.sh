#!/usr/bin/env bash
# dieharder (Debian: dieharder) over frit's random words as programs come by them: tests/random/battery.sh PROGRAM [WAY...]
# PROGRAM is frit_random_stream; without WAYs, all of its. About the size of TestU01's SmallCrush for each: some minutes on one
# core. What is WEAK is tried again with more words, until it has passed or failed. Exit status 1 where something FAILED, 77
# without dieharder. FRIT_BATTERY=all takes every good test of dieharder's, with all its tuples, which is hours.
set -euo pipefail
program=$1
ways=("${@:2}")
if [ ${#ways[@]} -eq 0 ]; then ways=(draws generators seeds slices interleaved uniform); fi
if ! command -v dieharder >/dev/null; then
    echo "battery: no dieharder here (Debian: dieharder)" >&2
    exit 77
fi
# birthdays, ranks of matrices, bit streams, ones in words and bytes, parking, spheres, squeezing, runs, craps, common divisors;
# monobit, runs, serial; distributions of bits, distances, permutations, lagged sums, Kolmogorov-Smirnov; bytes, cosines, trees.
# Those that dieharder calls suspect (5, 6, 7, 14) are left out.
tests=("-d 0" "-d 2" "-d 3" "-d 4" "-d 8" "-d 9" "-d 10" "-d 12" "-d 13" "-d 15" "-d 16" "-d 17" "-d 100" "-d 101" "-d 102 -n 4"
    "-d 200 -n 3" "-d 201 -n 3" "-d 202 -n 5" "-d 203 -n 7" "-d 204" "-d 205" "-d 206" "-d 207" "-d 208" "-d 209")
if [ "${FRIT_BATTERY:-}" = all ]; then
    tests=()
    for d in 0 1 2 3 4 8 9 10 11 12 13 15 16 17 100 101 204 205 206 207 208 209; do tests+=("-d $d"); done
    for n in {1..16}; do tests+=("-d 102 -n $n"); done
    for n in {1..12}; do tests+=("-d 200 -n $n"); done
    for n in {2..5}; do tests+=("-d 201 -n $n" "-d 202 -n $n"); done
    for n in {0..32}; do tests+=("-d 203 -n $n"); done
fi

failed=0
columns=(-D test_name -D ntuple -D pvalues -D assessment)
for way in "${ways[@]}"; do
    passed=0
    for test in "${tests[@]}"; do
        # shellcheck disable=SC2086  # several words
        result=$(FRIT_DEVICE=cpu FRIT_NUM_THREADS=1 "$program" "$way" | dieharder -g 200 -Y 1 "${columns[@]}" $test 2>&1) || true
        if grep -q FAILED <<<"$result" || ! grep -q PASSED <<<"$result"; then
            echo "battery: $way, dieharder $test: $result"
            failed=1
        else
            passed=$((passed + $(grep -c PASSED <<<"$result")))
        fi
    done
    echo "battery: $way: $passed results passed"
done
exit $failed
