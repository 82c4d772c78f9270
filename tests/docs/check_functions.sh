#!/usr/bin/env bash
# No function has more than 60 lines: check_functions.sh CHECKOUT
# A function reaches from the first line of its declaration to the brace that closes it, where clang-format puts that: on a line
# of its own, below the declaration's first letter. What is inside a function, a lambda say, is a part of it.
set -euo pipefail
cd "$1"
find include fusion src -name '*.[ch]pp' -o -name '*.cuh' | sort | xargs awk -v most=60 '
    function indent_of(line) { match(line, /^ */); return RLENGTH }
    function forget() { text = ""; start = 0 }
    FNR == 1 { forget(); inside = 0; raw = 0; macro = 0 }
    # Lines that are no code of this file: texts, macros, comments.
    raw { if (index($0, raw_end)) raw = 0; next }
    /R"[a-z_]*\(/ && !/\)[a-z_]*"/ {
        match($0, /R"[a-z_]*\(/)
        raw_end = ")" substr($0, RSTART + 2, RLENGTH - 3) "\""
        raw = 1
    }
    macro || /^ *#/ { macro = /\\$/; next }
    { sub(/ *\/\/.*$/, "") }
    /^ *$/ { next }
    inside {
        if (indent_of($0) != indent || $0 !~ /^ *}/ || /{$/) next
        lines = FNR - first + 1
        if (lines > most) {
            print FILENAME ":" first ": a function of " lines " lines"
            wrong = 1
        }
        ++functions
        inside = 0
        forget()
        next
    }
    {
        if (!start) { start = FNR; begins = indent_of($0) }
        text = text " " $0
    }
    /{$/ {
        is_type = text ~ /(^|>) *(inline |export )*(namespace|class|struct|union|enum|extern) ?/
        if (!is_type && text ~ /\(/ && text !~ /= *{$/) { inside = 1; first = start; indent = begins }
        forget()
        next
    }
    /[;}:]$/ || /^ *[A-Z_]+\(.*\)$/ { forget() }
    END {
        if (functions < 2000) {  # the layout is another one, and the check blind
            print "found only " functions " functions"
            wrong = 1
        }
        exit wrong
    }
'
