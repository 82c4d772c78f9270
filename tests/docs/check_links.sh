#!/usr/bin/env bash
# Calls point down: check_links.sh CHECKOUT OBJECTS
# The objects of the library, in the folders of their sources below OBJECTS. What an object asks for without an include, a
# function that a header of a low room declares, must not stand in a room above its own in the table of CONTRIBUTING.md.
set -euo pipefail
cd "$2"
find fusion src -name '*.o' | sort | while read -r object; do
    [ -e "$1/${object%.o}" ] || continue  # of a source that is gone
    echo "object ${object%.o}"
    nm -C --format=posix "$object" | sed -E 's/^(.*) ([A-Za-z])( +[0-9a-f]+)* *$/\2 \1/'
done | awk -v table="$1/CONTRIBUTING.md" '
    function room_of(path) {
        while (path != "" && !(path in level)) path = path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
        return path
    }
    BEGIN {
        while ((getline line < table) > 0) {
            if (line !~ /^\| `(include|fusion|src)/) continue
            ++lines
            split(line, cell, "|")
            count = split(cell[2], word, "`")
            for (k = 2; k <= count; k += 2) level[word[k]] = lines
        }
    }
    $1 == "object" { object = $2; ++objects; next }
    { function_name = substr($0, 3) }
    $1 ~ /^[TDBR]$/ { home[function_name] = object }
    $1 == "U" { asked[object "\t" function_name] }
    END {
        for (pair in asked) {
            split(pair, part, "\t")
            if (!(part[2] in home)) continue
            from = room_of(part[1])
            to = room_of(home[part[2]])
            ++calls
            if (from == to || level[to] < level[from]) continue
            print part[1] " asks for " part[2] " of " home[part[2]] ", which stands " \
                (level[to] > level[from] ? "above" : "beside") " it" | "sort"
            wrong = 1
        }
        if (objects < 100 || calls < 1000) { print "check_links.sh: " objects + 0 " objects, " calls + 0 " calls: too few"; wrong = 1 }
        exit wrong
    }
'
