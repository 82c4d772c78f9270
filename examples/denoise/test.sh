#!/usr/bin/env bash
# The example as a user runs it: test.sh PROGRAM DATA_FOLDER CASE
set -euo pipefail
program=$1 data=$2 case=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}
# The program must exit with 1, write no picture, and say `text` on standard error.
refuses() {
    local text=$1 status=0
    shift
    "$program" --steps 2 --output "$folder/out" "$@" >"$folder/stdout" 2>"$folder/stderr" || status=$?
    cat "$folder/stderr"
    [ "$status" -eq 1 ] || fail "exit status $status instead of 1"
    grep -qF -- "$text" "$folder/stderr" || fail "the message does not contain: $text"
    [ ! -e "$folder/out/denoised.png" ] || fail "wrote a picture all the same"
}

case $case in
    run)  # pictures, progress, and the figures that the example promises
        "$program" --input "$data/hubble_deep_field.png" --steps 6 --output "$folder/out" | tee "$folder/stdout"
        for picture in denoised before-after; do
            [ "$(head -c 4 "$folder/out/$picture.png" | tail -c 3)" = PNG ] || fail "$picture.png is no PNG file"
        done
        grep -q 'step  6 of 6   residual' "$folder/stdout" || fail "no progress"
        grep -qE 'plan of a step: [12] kernel' "$folder/stdout" || fail "more than two kernels in a step"
        ;;
    compilations)  # of the first process and of a second one, with a cache folder of their own
        FRIT_CPU_ENGINE=cxx FRIT_CACHE_DIR="$folder/cache" "$program" --device cpu --input "$data/hubble_deep_field.png" \
            --steps 2 --output "$folder/out" | tee "$folder/stdout"
        grep -qE '^compilations: [1-9][0-9]* in this process, 0 in a second one .*: 0 and [1-9]' "$folder/stdout" ||
            fail "the first process must compile, the second one find the kernels in the disk cache"
        FRIT_CPU_ENGINE=interpreter "$program" --device cpu --input "$data/hubble_deep_field.png" --steps 2 \
            --output "$folder/out" >"$folder/stdout"
        grep -q 'interpreter compiles nothing' "$folder/stdout" || fail "does not say why nothing was compiled"
        ;;
    wrong_file) refuses "cannot open $folder/absent.png" --input "$folder/absent.png" ;;
    wrong_format)
        echo "this is text" >"$folder/text.png"
        refuses "cannot read $folder/text.png as a PNG file" --input "$folder/text.png"
        head -c 50000 "$data/hubble_deep_field.png" >"$folder/cut.png"
        refuses "cannot decode $folder/cut.png" --input "$folder/cut.png"
        ;;
    wrong_output) refuses "cannot create the folder /dev/null/pictures" --output /dev/null/pictures ;;
    wrong_device)
        refuses "abacus" --device abacus
        # No device is visible to this process, whatever the machine has.
        CUDA_VISIBLE_DEVICES="" refuses "cuda" --device cuda
        ;;
    wrong_option)
        refuses "unknown option '--colour'" --colour
        refuses "--steps needs a value" --steps
        refuses "'many' is not a number from 1 to 1000000" --steps many
        refuses "'0.3' is not a number" --lambda 0.3
        ;;
    help) "$program" --help | grep -q -- '--device DEVICE' ;;
    *) fail "no such case: $case" ;;
esac
