#!/usr/bin/env bash
# The C++ block of README.md and quickstart.cpp must be the same text: check_readme.sh CHECKOUT
set -euo pipefail
diff <(sed -n '/^```cpp$/,/^```$/p' "$1/README.md" | sed '1d;$d') "$1/examples/quickstart/quickstart.cpp"
