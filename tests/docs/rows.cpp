// The expected values of the rows of docs/coming-from.md.
#include "tests/docs/rows.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace frit_docs {
namespace {

/// Python expressions and what NumPy made of them: ">>> expression", then the lines that were printed.
const std::map<std::string, std::string>& numpy_values() {
    static const std::map<std::string, std::string> values = [] {
        std::map<std::string, std::string> v;
        std::ifstream file(FRIT_DOCS_NUMPY);
        std::string* current = nullptr;
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with(">>> "))
                current = &v[line.substr(4)];
            else if (current)
                *current += (current->empty() ? "" : "\n") + line;
        }
        return v;
    }();
    return values;
}

std::string in_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

}  // namespace

void expect_as_numpy(const std::string& numpy, const std::string& value) {
    const auto found = numpy_values().find(numpy);
    ASSERT_NE(found, numpy_values().end()) << numpy << " is not in " FRIT_DOCS_NUMPY "; numpy_values.py writes it";
    EXPECT_EQ(found->second, value) << numpy;
}

void expect_value(const std::string& shown, const std::string& value) {
    const std::size_t first_line = value.find('\n');  // dtype and shape of an array
    EXPECT_EQ(shown, in_one_line(first_line == std::string::npos ? value : value.substr(first_line)));
}

}  // namespace frit_docs
