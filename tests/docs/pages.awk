# Turns a Markdown file into tests: every second-level heading becomes a test whose body is the heading's ```cpp blocks, in one
# scope; a ```text block is what the block above it printed ("..." stands for anything), and so are the lines of a ```console
# block that follow its "$ command". What stands before the first heading goes to file scope. A block that is marked with a
# condition (```cpp eigen) is left out unless FRIT_DOCS_EIGEN is defined.
#
#   awk -v suite=Tutorial -v file=docs/tutorial.md -f pages.awk docs/tutorial.md >tutorial.cpp

function close_test() { if (in_test) print "} FRIT_DOCS_SKIP_WITHOUT_LIBRARY\n"; in_test = 0 }
function begin_if() { if (condition != "") print "#ifdef FRIT_DOCS_" toupper(condition) }
function end_if() { if (condition != "") print "#endif" }
function expect(line) { printf "shown.expect(%d, R\"shown(%s)shown\");\n", line, wanted; wanted = "" }

BEGIN { print "// Made from " file " by pages.awk.\n#include \"tests/docs/shown.hpp\"\n" }

!block && /^## / {
    close_test()
    name = ""
    for (i = 2; i <= NF; ++i) {
        word = $i
        gsub(/[^A-Za-z0-9]/, "", word)
        name = name toupper(substr(word, 1, 1)) substr(word, 2)
    }
    printf "TEST(%s, %s) try {\nfrit_docs::shown shown(\"%s\");\n", suite, name, file
    in_test = 1
}
!block && /^```./ {
    block = substr($1, 4)
    start = NR
    if (block != "text") condition = $2
    begin_if()
    if (block == "cpp" && in_test) printf "shown.block(%d);\n", NR
    if (block == "cpp") printf "#line %d \"%s\"\n", NR + 1, file
    next
}
block && /^```$/ {
    if (block == "text" || block == "console") expect(start)
    end_if()
    block = ""
    next
}
block == "cpp" { print }
block == "text" { wanted = wanted $0 "\n" }
block == "console" {
    if (/^\$ /) {
        if (wanted != "") expect(start)
        printf "shown.run(%d, R\"shown(%s)shown\");\n", NR, substr($0, 3)
    } else {
        wanted = wanted $0 "\n"
    }
}
END { close_test() }
