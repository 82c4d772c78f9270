// Comparison of shown with printed text, and the commands of console blocks.
#include "tests/docs/shown.hpp"

#include <cstdio>
#include <exception>
#include <string_view>

namespace frit_docs {
namespace {

constexpr std::string_view anything = "...";

std::string without_blanks_at_ends(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    result.erase(result.find_last_not_of('\n') + 1);
    return result;
}

/// True if `text` is `pattern` with something in place of every "...".
bool matches(std::string_view text, std::string_view pattern) {
    const std::size_t gap = pattern.find(anything);
    if (gap == std::string_view::npos) return text == pattern;
    if (text.substr(0, gap) != pattern.substr(0, gap)) return false;
    text.remove_prefix(gap);
    pattern.remove_prefix(gap + anything.size());
    // The parts between two gaps may stand at their first place; only the last one must end the text.
    for (std::size_t next; (next = pattern.find(anything)) != std::string_view::npos;) {
        const std::size_t at = text.find(pattern.substr(0, next));
        if (at == std::string_view::npos) return false;
        text.remove_prefix(at + next);
        pattern.remove_prefix(next + anything.size());
    }
    return text.size() >= pattern.size() && text.substr(text.size() - pattern.size()) == pattern;
}

}  // namespace

shown::shown(const char* document) : document_(document), before_(std::cout.rdbuf(printed_.rdbuf())) {}

shown::~shown() {
    std::cout.rdbuf(before_);
    if (std::uncaught_exceptions() == 0) expect_nothing();
}

void shown::expect_nothing() const {
    EXPECT_EQ(printed_.str(), "") << document_ << ":" << line_ << ": printed, and not shown";
}

void shown::block(int line) {
    expect_nothing();
    line_ = line;
}

void shown::expect(int line, const std::string& text) {
    const std::string got = without_blanks_at_ends(printed_.str()), wanted = without_blanks_at_ends(text);
    EXPECT_TRUE(matches(got, wanted)) << document_ << ":" << line << ": shown\n" << wanted << "\nprinted\n" << got;
    printed_.str("");
}

void shown::run(int line, const std::string& command) {
    line_ = line;
    const std::string all = "export PATH='" FRIT_DOCS_PATH "':\"$PATH\"; { " + command + "; } 2>&1";
    std::FILE* pipe = popen(all.c_str(), "r");
    ASSERT_TRUE(pipe) << command;
    char text[4096];
    while (const std::size_t n = std::fread(text, 1, sizeof text, pipe))
        std::cout.write(text, static_cast<std::streamsize>(n));
    EXPECT_EQ(pclose(pipe), 0) << document_ << ":" << line << ": " << command;
}

}  // namespace frit_docs
