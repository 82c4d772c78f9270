// Where log lines go: see log.hpp.
#include "src/base/log.hpp"

#include <cstdio>
#include <string>

namespace frit::inline v0::detail {

void log(log_channel channel, std::string_view text) {
    if (!log_enabled(channel)) return;
    std::string line = "[frit:" + std::string(log_channel_names[static_cast<int>(channel)]) + "] ";
    line += text;
    if (line.back() != '\n') line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string readable_bytes(std::size_t bytes) {
    static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    double x = static_cast<double>(bytes);
    for (; x >= 1024 && unit < 6; ++unit) x /= 1024;
    char text[40];
    std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", x, units[unit]);
    return text;
}

}  // namespace frit::v0::detail
