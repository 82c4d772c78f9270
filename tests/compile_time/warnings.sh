#!/usr/bin/env bash
# Includes every public header, and compiles warnings.cpp, which instantiates much of them, as a project does that includes
# frit with -I and turns on the warnings that careful projects use: there must be none.
# usage: warnings.sh COMPILER INCLUDE_FLAGS...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-qual -Wcast-align
    -Wdouble-promotion -Wextra-semi -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2)
if "$1" --version | grep -q clang; then
    warnings+=(-Wshadow-all -Wcomma -Wdocumentation)
else
    warnings+=(-Wuseless-cast -Wlogical-op -Wduplicated-cond -Wduplicated-branches)
fi
compiler=("$@" -std=c++20 "${warnings[@]}" -Werror -fsyntax-only)

eigen=
for place in /usr/include/eigen3 /usr/local/include/eigen3; do
    if [ -e $place/Eigen/Core ]; then eigen=$place; fi
done
for header in "$here"/../../include/frit/*.hpp; do
    [ "$(basename "$header")" = eigen.hpp ] && [ -z "$eigen" ] && continue
    echo "#include <frit/$(basename "$header")>"
done >"$folder/headers.cpp"
[ "$(wc -l <"$folder/headers.cpp")" -gt 20 ]
"${compiler[@]}" ${eigen:+-isystem "$eigen"} "$folder/headers.cpp"
"${compiler[@]}" "$here/warnings.cpp"
echo "no warning of $(wc -l <"$folder/headers.cpp") headers"
