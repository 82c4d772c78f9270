#!/usr/bin/env bash
# Runs a program, which must succeed and print something that matches: expect.sh REGEX PROGRAM [ARGUMENTS]
set -euo pipefail
output=$("${@:2}")
echo "$output"
grep -qE -- "$1" <<<"$output" || { echo "FAILED: the output does not match $1"; exit 1; }
