#!/usr/bin/env bash
# Builds and runs the outside project: run.sh MODE CHECKOUT BUILD_FOLDER COMPILER
# find_package uses an installation of the build folder, as does each_header, which also compiles every header alone;
# fetch_content builds the checkout again, as a static library and without optimisation, so that this variant is covered too:
# all of it with FRIT_TEST_ALL=1 (./dev test --all), else a few objects.
# no_build_type builds nothing: it looks at how the engine would be compiled for a project that says nothing of it.
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
    no_build_type)
        if [ -n "${CMAKE_BUILD_TYPE:-}" ]; then unset CMAKE_BUILD_TYPE; fi
        commands() {  # OPTION...: the command of the engine's sources, then of the project's
            rm -rf "$folder/consumer"
            cmake "${options[@]}" -DFRIT_CHECKOUT="$checkout" -DFRIT_CUB=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >/dev/null
            engine=$(grep '"command"' "$folder/consumer/compile_commands.json" | grep -E " -c $checkout/(src|fusion)/")
            project=$(grep '"command"' "$folder/consumer/compile_commands.json" | grep -F " -c $checkout/tests/consumer/main.cpp")
            [ "$(wc -l <<<"$engine")" -gt 50 ] && [ "$(wc -l <<<"$project")" -eq 1 ]
        }
        expect() {  # WHAT COUNT LINES: so many of the lines are optimised
            local got
            got=$(grep -c -E -- ' -O[1-3]( |$)' <<<"$3" || true)
            [ "$got" -eq "$2" ] || { echo "$1: $got of $(wc -l <<<"$3") commands optimise, expected $2"; exit 1; }
        }
        commands
        expect "the engine, without a build type" "$(wc -l <<<"$engine")" "$engine"
        expect "the project, without a build type" 0 "$project"
        commands -DCMAKE_BUILD_TYPE=Debug
        expect "the engine, in a Debug build" 0 "$engine"
        commands -DCMAKE_CXX_FLAGS=-O0
        expect "the engine, with -O0 asked for" 0 "$engine"
        exit
        ;;
    fetch_content)
        cmake "${options[@]}" -DCMAKE_BUILD_TYPE=Debug -DFRIT_SHARED=OFF -DFRIT_CHECKOUT="$checkout"
        if [ "${FRIT_TEST_ALL:-}" != 1 ]; then
            engine=_deps/frit-build/CMakeFiles/frit.dir
            cmake --build "$folder/consumer" --target CMakeFiles/consumer.dir/{main,all}.cpp.o \
                "$engine"/{src/graph/record.cpp.o,src/cpu/interpreter.cpp.o,fusion/plan.cpp.o}
            exit
        fi
        ;;
    *) echo "no such mode: $mode" && exit 1 ;;
esac
cmake --build "$folder/consumer"
"$folder/consumer/consumer"
