// Devices as text: what $FRIT_DEVICE says and reports show. Whether they exist is known further up (src/graph/context.cpp).
#include "frit/device.hpp"

#include <new>

#include "src/base/errors.hpp"

namespace frit::inline v0 {

std::string to_string(device d) { return d.is_cpu() ? "cpu" : "cuda:" + std::to_string(d.index()); }

device device::parse(std::string_view text, source_line where) try {
    std::string_view rest = text;
    if (rest == "cpu") return cpu();
    if (rest == "cuda") return cuda(0);
    if (rest.starts_with("cuda:")) {
        rest.remove_prefix(5);
        int ordinal = 0;
        bool digits = !rest.empty() && rest.size() < 4;
        for (char c : rest) {
            digits = digits && c >= '0' && c <= '9';
            ordinal = ordinal * 10 + (c - '0');
        }
        if (digits) return cuda(ordinal);
    }
    throw device_error("device '" + std::string(text) + "' is not known: cpu, cuda or cuda:N" + detail::place(where));
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("device", where);
}

}  // namespace frit::v0
