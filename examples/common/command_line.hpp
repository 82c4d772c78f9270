// What every example does with its command line: options with values, --device, --help, and how main ends. The usage text is
// the list of options: one that it does not mention is an error.
#pragma once

#include <charconv>
#include <map>
#include <string>
#include <string_view>

class command_line {
public:
    /// @param usage  one line for each option: "  --steps N   ..." takes a value, "  --figures   ..." takes none
    /// @throws std::runtime_error for an unknown option or a missing value
    command_line(int argc, char** argv, const char* usage);

    bool given(const std::string& name) const { return values_.count(name) != 0; }
    std::string text(const std::string& name, const std::string& fallback) const;
    /// @throws std::runtime_error naming the option, unless its value is a number from low to high
    template <class T>
    T number(const std::string& name, T fallback, T low, T high) const {
        return given(name) ? to_number(name, values_.at(name), low, high) : fallback;
    }
    template <class T>
    static T to_number(const std::string& name, std::string_view text, T low, T high) {
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
            fail_number(name, text, std::to_string(low), std::to_string(high));
        return value;
    }

private:
    [[noreturn]] static void fail_number(const std::string& name, std::string_view text, const std::string& low,
                                         const std::string& high);
    std::map<std::string, std::string> values_;
};

/// The main() of an example: --help prints `usage`, --device is the default device while `run` runs, and an exception is one
/// line on standard error and exit status 1.
int run_example(int argc, char** argv, const char* usage, void (*run)(const command_line&));
