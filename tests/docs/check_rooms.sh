#!/usr/bin/env bash
# Includes point down: check_rooms.sh CHECKOUT
# The table of rooms in CONTRIBUTING.md is the order, lowest first. A file belongs to the room that is the longest beginning
# of its path. It may include its own room and those of the lines above it in the table. Files named in one line are one room.
set -euo pipefail
cd "$1"
find include fusion src -type f | sort | xargs awk '
    function room_of(path) {
        while (path != "" && !(path in level)) path = path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
        return path
    }
    function folder_of(path) { return substr(path, 1, match(path, /\/[^\/]*$/)) }
    function say(text) { print text; wrong = 1 }
    BEGIN {
        while ((getline line < "CONTRIBUTING.md") > 0) {
            if (line !~ /^\| `(include|fusion|src)/) continue
            ++lines
            split(line, cell, "|")
            count = split(cell[2], word, "`")
            for (k = 2; k <= count; k += 2) {
                level[word[k]] = lines
                name[word[k]] = word[k] ~ /\.[a-z]+$/ ? "line " lines : word[k]
            }
        }
        if (lines < 2) {
            say("CONTRIBUTING.md: the table of rooms is gone")
            exit
        }
    }
    FNR == 1 {
        room = room_of(FILENAME)
        if (room == "") say(FILENAME ": belongs to no room of the table in CONTRIBUTING.md")
    }
    room != "" && /^[ \t]*#[ \t]*include[ \t]*["<]/ {
        split($0, part, /["<>]/)
        to = part[2]
        if (to ~ /^include\/|^\.|\/\.|\/\//) say(FILENAME ":" FNR ": a path begins with frit, fusion or src, and is plain")
        if (to ~ /^frit\//) to = "include/" to
        else if ((getline ignored < to) >= 0) close(to)
        else to = folder_of(FILENAME) to
        if ((getline ignored < to) < 0) next  # the standard library, the system, what the build makes
        close(to)
        other = room_of(to)
        if (other == "") say(FILENAME ":" FNR ": includes " to ", of no room")
        if (other == "" || name[other] == name[room] || level[other] < level[room]) next
        say(FILENAME ":" FNR ": includes " to ": " other " stands " (level[other] > level[room] ? "above " : "beside ") room)
    }
    END { exit wrong }
'
