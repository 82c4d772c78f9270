// Channels of FRIT_LOG to stderr. Callers ask log_enabled first, so that text is built only when somebody reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/base/env.hpp"

namespace frit::inline v0::detail {

/// Whether FRIT_LOG names the channel: one load and a mask.
inline bool log_enabled(log_channel channel) { return (env().log_mask >> static_cast<int>(channel)) & 1U; }

/// Writes "[frit:channel] text" and a line end to stderr, in one write, if the channel is on.
void log(log_channel channel, std::string_view text);

/// "1.5 GiB": how sizes stand in logs and errors.
std::string readable_bytes(std::size_t);

}  // namespace frit::v0::detail
