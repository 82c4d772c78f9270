#!/usr/bin/env bash
# Everything that needs a GPU, in one go: build, tests on the device, memcheck, benchmark, demo. Made for a machine that is
# at hand only for a short while: every stage has its own time limit, and logs are left in $OUT (default ./out).
#
# usage: benchmarks/gpu.sh [build] [test] [sanitize] [bench] [demo]        (default: all of them, in this order)
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

# Every test program, and the examples' own tests, with the GPU as the default device; each within LIMIT_program seconds.
stage_test() {
    local status=0 program
    for program in "$build"/examples/*/*_test "$build"/tests/frit_test_* "$build"/tests/*/frit_test_*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        echo "== ${program#"$build/"}"
        timeout "${LIMIT_program:-100}" "$program" --gtest_brief=1 || { echo "FAILED: exit status $?" && status=1; }
    done
    return $status
}

# 5,000 random programs, fused and unfused, shared out among processes: what takes long is NVRTC.
stage_random() {
    local status=0 processes=14 k pids=()
    for k in $(seq "$processes"); do
        FRIT_TEST_FIRST_SEED=$((20000 * k)) FRIT_TEST_PROGRAMS=$((5000 / processes + 1)) \
            "$build/tests/frit_test_differential" --gtest_brief=1 --gtest_filter=RandomGraphs.InterpreterFusedAndUnfused \
            >"$build/random.$k.log" 2>&1 &
        pids+=($!)
    done
    for k in $(seq "$processes"); do
        wait "${pids[k - 1]}" || { echo "FAILED: seeds from $((20000 * k))" && status=1; }
        tail -n 40 "$build/random.$k.log"
    done
    return $status
}

# Largest errors of the mathematical functions on this GPU, in units in the last place.
stage_accuracy() { "$build/tests/frit_accuracy" | tee "$out/accuracy.md"; }

# The examples cover stencils, several outputs and reductions; of the unit tests those that $SANITIZE_FILTER names.
stage_sanitize() {
    local check=(compute-sanitizer --tool memcheck --error-exitcode 9)
    "${check[@]}" "$build/examples/denoise/denoise_test" &&
        "${check[@]}" "$build/examples/black_scholes/black_scholes_test" &&
        "${check[@]}" "$build/tests/frit_test_unit" --gtest_brief=1 --gtest_filter="${SANITIZE_FILTER:-Aliasing*:KernelCounts*}"
}

stage_bench() { "$build/benchmarks/gpu_workloads" --json "$out/gpu.jsonl" && "$build/benchmarks/stream"; }

stage_demo() {
    local denoise="$build/examples/denoise/denoise"
    if [ ! -x "$denoise" ]; then
        echo "denoise was not built: no libpng here"
        return
    fi
    "$denoise" --device cuda --input examples/data/hubble_deep_field.png --output "$out"
}

declare -A limit=([build]=${LIMIT_build:-300} [test]=${LIMIT_test:-280} [sanitize]=${LIMIT_sanitize:-120}
    [bench]=${LIMIT_bench:-240} [demo]=${LIMIT_demo:-60})
if [ "${1:-}" = --stage ]; then  # one stage, in the process that the time limit applies to
    "stage_$2"
    exit
fi

stages=("$@")
if [ $# -eq 0 ]; then stages=(build test sanitize bench demo); fi
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
    [ -f "$out/test.log" ] && grep -hE '^== |\[  (PASSED|FAILED|SKIPPED) |FAILED:|ok:' "$out/test.log" | head -n 60
    [ -f "$out/sanitize.log" ] && grep -h 'ERROR SUMMARY' "$out/sanitize.log"
    [ -f "$out/demo.log" ] && grep -hE 'denoising|plan of|compilations|time per step' "$out/demo.log"
    [ -f "$out/bench.log" ] && grep -v '^{' "$out/bench.log"
} 2>/dev/null | tee -a "$summary"
exit $failed
