# Turns the tables of docs/coming-from.md into tests, one a row: `| their code | frit's code |`, or with the value as a third
# cell. A section's ```cpp block holds the inputs of its rows (```cpp eigen: those of Eigen's column); what stands before the
# first section goes to file scope. Code that ends in a semicolon is a statement: its value is u afterwards.
#
#   awk -v file=docs/coming-from.md -f rows.awk docs/coming-from.md >coming_from.cpp

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function code(cell) { cell = trim(cell); gsub(/^`|`$/, "", cell); return cell }
function raw(s) { return "R\"row(" s ")row\"" }
# A struct whose value() is that of the code, with the inputs in scope.
function evaluation(name, base, what) {
    printf "struct %s : %s { std::string value() {\n#line %d \"%s\"\n", name, base, NR, file
    if (what ~ /;$/) printf "%s return describe(u);\n", what
    else printf "return describe(%s);\n", what
    print "} };"
}
BEGIN { print "// Made from " file " by rows.awk.\n#include \"tests/docs/rows.hpp\"\n"; section = "" }

/^## / {
    section = $0
    gsub(/^## |[^A-Za-z0-9]/, "", section)
    peer = ""
}
/^```cpp/ {
    block = 1
    eigen = ($2 == "eigen")
    if (eigen) print "#ifdef FRIT_DOCS_EIGEN"
    if (section != "") printf "struct inputs_of_%s%s {\n", section, eigen ? "_eigen" : ""
    printf "#line %d \"%s\"\n", NR + 1, file
    next
}
/^```$/ && block {
    if (section != "") print "};"
    if (eigen) print "#endif"
    block = 0
    next
}
block { print; next }
/^\|/ {
    line = $0
    gsub(/\\\|/, "\001", line)
    count = split(line, cell, "|") - 2
    for (i = 1; i <= count + 1; ++i) gsub("\001", "|", cell[i])
    if (cell[2] ~ /^[ -]+$/) next
    if (cell[2] !~ /`/) { peer = trim(cell[2]); next }  # the head names the other library
    printf "TEST(%s, Line%d) try {\n", section, NR
    evaluation("ours", "inputs_of_" section, code(cell[3]))
    if (peer == "NumPy") {
        printf "expect_as_numpy(%s, ours().value());\n", raw(code(cell[2]))
    } else if (peer == "Eigen") {
        print "#ifdef FRIT_DOCS_EIGEN"
        evaluation("theirs", "inputs_of_" section "_eigen", code(cell[2]))
        print "EXPECT_EQ(theirs().value(), ours().value());\n#else\nEXPECT_NE(ours().value(), \"\");\n#endif"
    } else {
        printf "expect_value(%s, ours().value());\n", raw(code(cell[4]))
    }
    print "} FRIT_DOCS_SKIP_WITHOUT_LIBRARY\n"
}
