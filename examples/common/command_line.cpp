// Reads the command line by its usage text, and wraps an example's main().
#include "command_line.hpp"

#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <frit/device.hpp>
#include <optional>
#include <stdexcept>

command_line::command_line(int argc, char** argv, const char* usage) {
    const std::string_view lines = usage;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const std::size_t line = lines.find("\n  " + name + " ");
        if (name.substr(0, 2) != "--" || line == lines.npos)
            throw std::runtime_error("unknown option '" + name + "' (--help lists them)");
        const bool takes_value = std::isupper(static_cast<unsigned char>(lines[line + name.size() + 4])) != 0;
        if (takes_value && i + 1 == argc) throw std::runtime_error(name + " needs a value");
        values_[name] = takes_value ? argv[++i] : "";
    }
}

std::string command_line::text(const std::string& name, const std::string& fallback) const {
    return given(name) ? values_.at(name) : fallback;
}

void command_line::fail_number(const std::string& name, std::string_view text, const std::string& low,
                               const std::string& high) {
    throw std::runtime_error(name + ": '" + std::string(text) + "' is not a number from " + low + " to " + high);
}

int run_example(int argc, char** argv, const char* usage, void (*run)(const command_line&)) {
    try {
        const command_line options(argc, argv, usage);
        if (options.given("--help")) {
            std::fputs(usage, stdout);
            return 0;
        }
        std::optional<frit::scoped_device> chosen;
        if (options.given("--device")) chosen.emplace(frit::device::parse(options.text("--device", "")));
        run(options);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", std::filesystem::path(argv[0]).filename().c_str(), e.what());
        return 1;
    }
}
