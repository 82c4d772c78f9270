#!/usr/bin/env bash
# Builds the fuzzers with clang, ASan and UBSan, and runs each for some seconds, side by side: tests/fuzz/run.sh [SECONDS] [NAME...]
# What they find more is kept in build/fuzz/corpus; an input that fails is copied beside it, and the exit status is 1.
# Status 77: this machine has no libFuzzer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-60}
names=("${@:2}")
if [ ${#names[@]} -eq 0 ]; then
    for file in tests/fuzz/fuzz_*.cpp; do names+=("$(basename "${file#tests/fuzz/fuzz_}" .cpp)"); done
fi

compiler=
for candidate in ${CLANGXX:-} clang++ clang++-14; do
    if echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
        "$candidate" -x c++ - -fsanitize=fuzzer,address,undefined -o /dev/null 2>/dev/null; then
        compiler=$candidate
        break
    fi
done
if [ -z "$compiler" ]; then
    echo "fuzz: no clang with libFuzzer and the sanitizers here (Debian: clang and libclang-rt-14-dev)" >&2
    exit 77
fi

cmake --preset fuzz -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build build/fuzz --target "${names[@]/#/fuzz_}"
fuzz() {  # NAME
    local name=$1
    mkdir -p "build/fuzz/corpus/$name" build/fuzz/found
    local inputs=("build/fuzz/corpus/$name" "tests/fuzz/corpus/$name")
    local options=(-max_total_time="$seconds" -max_len=1024 -timeout=10 -print_final_stats=1 -verbosity=0
                   -artifact_prefix="build/fuzz/found/$name-")
    if [ -d "tests/unit/data/$name" ]; then inputs+=("tests/unit/data/$name"); fi
    if [ -f "tests/fuzz/$name.dict" ]; then options+=(-dict="tests/fuzz/$name.dict"); fi
    "build/fuzz/tests/fuzz/fuzz_$name" "${options[@]}" "${inputs[@]}" >"build/fuzz/$name.log" 2>&1
}
declare -A running
for name in "${names[@]}"; do
    fuzz "$name" &
    running[$name]=$!
done
failed=0
for name in "${names[@]}"; do
    if wait "${running[$name]}"; then
        echo "fuzz: $name, $seconds s: $(grep 'stat::number_of_executed_units' "build/fuzz/$name.log")"
    else
        tail -60 "build/fuzz/$name.log"
        echo "fuzz: $name failed; the input is in build/fuzz/found, the whole log build/fuzz/$name.log" >&2
        failed=1
    fi
done
exit $failed
