# Turns the examples in the headers' comments into tests: every "/// ```cpp" block becomes one, and a "/// ```text" block below
# it is what it prints ("..." stands for anything).
#
#   awk -f headers.awk include/frit/print.hpp ... >headers.cpp

function close_test() { if (in_test) print "} FRIT_DOCS_SKIP_WITHOUT_LIBRARY\n"; in_test = 0 }

BEGIN { print "// Made from the headers by headers.awk.\n#include \"tests/docs/shown.hpp\"\n" }
FNR == 1 {
    close_test()
    file = FILENAME
    sub(/.*include\//, "include/", file)
    name = file
    sub(/.*\//, "", name)
    sub(/\.hpp$/, "", name)
}
{ comment = sub(/^ *\/\/\/ ?/, "") }
!comment { next }
!block && /^```cpp$/ {
    close_test()
    printf "TEST(Headers, %s_line_%d) try {\nfrit_docs::shown shown(\"%s\");\nshown.block(%d);\n", name, FNR, file, FNR
    printf "#line %d \"%s\"\n", FNR + 1, file
    in_test = 1
    block = "cpp"
    next
}
!block && /^```text$/ {
    block = "text"
    start = FNR
    wanted = ""
    next
}
block && /^```$/ {
    if (block == "text") printf "shown.expect(%d, R\"shown(%s)shown\");\n", start, wanted
    block = ""
    next
}
block == "cpp" { print }
block == "text" { wanted = wanted $0 "\n" }
END { close_test() }
