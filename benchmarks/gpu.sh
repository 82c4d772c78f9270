#!/usr/bin/env bash
# Everything that needs a GPU, in one go: build, tests on the device, memcheck, benchmark, demo. Made for a machine that is
# at hand only for a short while: every stage has its own time limit, and logs are left in $OUT (default ./out).
#
# usage: benchmarks/gpu.sh [build] [test] [random] [accuracy] [sanitize] [bench] [demo]        (default: all, in this order)
#   FRIT_BUILD=FOLDER   use this build instead of making one (built elsewhere and brought here; no build stage)
#   LIMIT_test=SECONDS  another time limit for a stage
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(realpath -m "${OUT:-out}")
build=$(realpath -m "${FRIT_BUILD:-build/gpu}")
mkdir -p "$out"
# A build made elsewhere finds the library, and what it brought along in lib/, here.
export LD_LIBRARY_PATH="$build:$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FRIT_DEVICE=cuda FRIT_CACHE_DIR="$build/kernel_cache"

stage_build() {
    if [ -n "${FRIT_BUILD:-}" ]; then
        "$build/examples/black_scholes/black_scholes_test" || return
        echo "using $build as it is"
        return
    fi
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build "$build"
}

# Runs programs side by side, each line of standard input being one command: what takes long is NVRTC, on the host. Their
# outputs follow one after the other.
side_by_side() {
    local status=0 k=0 line pids=() names=()
    while read -r line; do
        eval "timeout ${LIMIT_program:-550} env $line" >"$build/part.$k.log" 2>&1 &
        pids+=($!) names+=("$line") k=$((k + 1))
    done
    for k in "${!pids[@]}"; do
        wait "${pids[k]}" || { echo "FAILED: exit status $? of ${names[k]//"$build/"/}" && status=1; }
        echo "== ${names[k]//"$build/"/}"
        tail -n 60 "$build/part.$k.log"
    done
    return $status
}

# Every test program, and the examples' own tests, with the GPU as the default device.
stage_test() {
    local program parts k
    for program in "$build"/examples/*/*_test "$build"/tests/frit_test_* "$build"/tests/*/frit_test_*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        # The documents show what the CPU prints.
        case $program in */frit_test_probe | */frit_test_cuda_fake | */frit_test_cuda_bare | */frit_test_docs) continue ;; esac
        case $program in */frit_test_unit | */frit_test_differential) parts=7 ;; *) parts=1 ;; esac
        for ((k = 0; k < parts; k++)); do
            echo "GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$k $program --gtest_brief=1 --gtest_filter=-RandomGraphs.*"
        done
    done | side_by_side
}

# 5,000 random programs, fused and unfused.
stage_random() {
    local processes=14 k
    for k in $(seq "$processes"); do
        echo "FRIT_TEST_FIRST_SEED=$((20000 * k)) FRIT_TEST_PROGRAMS=$((5000 / processes + 1))" \
            "$build/tests/frit_test_differential --gtest_brief=1 --gtest_filter=RandomGraphs.InterpreterFusedAndUnfused"
    done | side_by_side
}

# Largest errors of the mathematical functions on this GPU, in units in the last place.
stage_accuracy() { "$build/tests/frit_accuracy" --markdown >"$out/accuracy.md"; }

# memcheck and initcheck: one dtype of each class of ops (bool, int16, int32, uint8, float, double) and the libraries' nodes;
# racecheck: the reductions and scans. The numbers are those of FRIT_COMPUTE_DTYPES. The examples cover stencils.
stage_sanitize() {
    local status=0
    check() {  # tool, program, filter
        echo "== $1 ${2#"$build/"} ${3:-}"
        timeout "${LIMIT_check:-100}" compute-sanitizer --tool "$1" --error-exitcode 9 "$2" --gtest_brief=1 ${3:+--gtest_filter="$3"} ||
            { echo "FAILED: exit status $?" && status=1; }
    }
    local ops='Ops/0.*:Ops/2.*:Ops/3.*:Ops/5.*:Ops/9.*:Ops/10.*:Casts.*' sums='Reductions/0.*:Reductions/3.*:Reductions/9.*'
    check memcheck "$build/examples/denoise/denoise_test"
    check memcheck "$build/tests/frit_test_unit" "${SANITIZE_FILTER:-Aliasing*:KernelCounts*:Matmul*:Scan*:Sort*:Scatter*:Bins*:Masks*:Movement*:IndexErrors*}"
    check memcheck "$build/tests/frit_test_differential" "$ops:$sums:Library/9.*:Library/3.*"
    check initcheck "$build/tests/frit_test_differential" "$ops:$sums"
    check racecheck "$build/tests/frit_test_differential" "$sums:Library/9.*"
    return $status
}

stage_bench() {
    "$build/benchmarks/gpu_workloads" --json "$out/gpu.jsonl" && "$build/benchmarks/gpu_indexed" &&
        "$build/benchmarks/gpu_generated" && "$build/benchmarks/stream"
}

stage_demo() {
    local denoise="$build/examples/denoise/denoise"
    if [ ! -x "$denoise" ]; then
        echo "denoise was not built: no libpng here"
        return
    fi
    "$denoise" --device cuda --input examples/data/hubble_deep_field.png --output "$out"
}

declare -A limit=([build]=${LIMIT_build:-300} [test]=${LIMIT_test:-560} [random]=${LIMIT_random:-560}
    [accuracy]=${LIMIT_accuracy:-120} [sanitize]=${LIMIT_sanitize:-400}
    [bench]=${LIMIT_bench:-300} [demo]=${LIMIT_demo:-60})
if [ "${1:-}" = --stage ]; then  # one stage, in the process that the time limit applies to
    "stage_$2"
    exit
fi

stages=("$@")
if [ $# -eq 0 ]; then stages=(build test random accuracy sanitize bench demo); fi
summary="$out/summary.txt"
: >"$summary"
failed=0
for stage in "${stages[@]}"; do
    [ -n "${limit[$stage]:-}" ] || { echo "gpu.sh: no such stage: $stage" >&2; exit 2; }
    start=$SECONDS status=0
    timeout "${limit[$stage]}" benchmarks/gpu.sh --stage "$stage" >"$out/$stage.log" 2>&1 || status=$?
    case $status in
        0) result=passed ;;
        124) result="time limit of ${limit[$stage]} s" ;;
        *) result="FAILED ($status)" ;;
    esac
    printf '%-10s %4d s   %s\n' "$stage" $((SECONDS - start)) "$result" | tee -a "$summary"
    if [ "$status" -ne 0 ]; then
        failed=1
        tail -n 15 "$out/$stage.log"
    fi
    if [ "$stage" = build ] && [ "$status" -ne 0 ]; then break; fi
done

{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    [ -f "$out/random.log" ] && grep -hE 'FAILED|PASSED' "$out/random.log" | sort | uniq -c
    [ -f "$out/test.log" ] && grep -hE '^== |\[  (PASSED|FAILED|SKIPPED) |FAILED:|ok:' "$out/test.log" | head -n 60
    [ -f "$out/sanitize.log" ] && grep -hE '^== |ERROR SUMMARY|RACECHECK SUMMARY|FAILED' "$out/sanitize.log"
    [ -f "$out/demo.log" ] && grep -hE 'denoising|plan of|compilations|time per step' "$out/demo.log"
    [ -f "$out/bench.log" ] && grep -v '^{' "$out/bench.log"
} 2>/dev/null | tee -a "$summary"
exit $failed
