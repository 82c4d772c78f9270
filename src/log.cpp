// Where log lines go: see log.hpp.
#include "src/log.hpp"

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

}  // namespace frit::v0::detail
