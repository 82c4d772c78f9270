#!/usr/bin/env bash
# What documents say of files must be so: check_documents.sh CHECKOUT
#   - a relative link leads to a file;
#   - `a/path` that begins with a folder of the repository exists (* may stand for a part);
#   - a block that names a file (```cpp include/frit/ops.def) is in that file, line by line.
set -euo pipefail
cd "$1"
folders='\.ci|benchmarks|cmake|docs|examples|fusion|include|src|tests|tools'
wrong=0
say() {
    echo "$1"
    wrong=1
}
for document in README.md CONTRIBUTING.md docs/*.md docs/*/*.md; do
    while read -r target; do
        [ -e "$(dirname "$document")/${target%%#*}" ] || say "$document: the link to $target leads nowhere"
    done < <(sed '/^```/,/^```/d; s/`[^`]*`//g' "$document" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#)' || true)
    while read -r path; do
        compgen -G "$path" >/dev/null || say "$document: there is no $path"
    done < <(grep -oE "\`($folders)/[A-Za-z0-9_./*-]+\`" "$document" | tr -d '`' || true)
    while IFS=$'\t' read -r file line; do
        grep -qF -- "$line" "$file" || say "$document: this line is not in $file: $line"
    done < <(awk '/^```[a-z]+ .*\// { file = $2; next } /^```/ { file = "" } file != "" && NF { print file "\t" $0 }' "$document")
done
exit $wrong
