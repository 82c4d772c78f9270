#!/usr/bin/env bash
# Builds and runs the outside project: run.sh MODE CHECKOUT BUILD_FOLDER COMPILER
# find_package uses an installation of the build folder, as does each_header, which also compiles every header alone;
# fetch_content builds the checkout again, as a static library and without optimisation, so that this variant is covered too.
set -euo pipefail
mode=$1 checkout=$2 build=$3 compiler=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

options=(-G Ninja -DCMAKE_CXX_COMPILER="$compiler" -S "$checkout/tests/consumer" -B "$folder/consumer")
if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
case $mode in
    find_package | each_header)
        cmake --install "$build" --prefix "$folder/first" >/dev/null
        mv "$folder/first" "$folder/prefix"  # an installation can be moved
        if [ -x "$build/frit-info" ]; then "$folder/prefix/bin/frit-info" >/dev/null; fi
        if [ "$mode" = each_header ]; then options+=(-DHEADERS_ALONE=ON); fi
        cmake "${options[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/prefix"
        ;;
    fetch_content) cmake "${options[@]}" -DCMAKE_BUILD_TYPE=Debug -DFRIT_SHARED=OFF -DFRIT_CHECKOUT="$checkout" ;;
    *) echo "no such mode: $mode" && exit 1 ;;
esac
cmake --build "$folder/consumer"
"$folder/consumer/consumer"
