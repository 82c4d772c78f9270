// Opening a GPU: context, stream, and the facts that the planner is told.
#include "src/cuda/device.hpp"

#include "frit/error.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

int attribute(const driver& api, int which, device_id id, const std::string& label) {
    int value = 0;
    check(api.device_attribute(&value, which, id), label, "asking for its attributes");
    return value;
}

const driver& driver_for(const std::string& label) {
    refuse_after_fork(label);
    try {
        return the_driver();
    } catch (const device_error& e) {
        throw device_error(label + " asked for: " + e.what());
    }
}

}  // namespace

fusion::target facts_of(int sm, int processors, int driver) {
    fusion::target t;
    t.device = fusion::target::kind::cuda;
    t.sm = sm;
    t.processors = processors;
    t.vector_bytes = 16;
    t.has_fma = true;
    t.max_parameter_bytes = sm >= 70 && driver >= 12010 ? 32764 : 4096;
    t.cost = fusion::cuda_prices;
    return t;
}

device::device(int ordinal) : label("cuda:" + std::to_string(ordinal)), api(driver_for(label)) {
    if (ordinal < 0 || ordinal >= api.devices)
        throw device_error(label + " asked for, " + std::to_string(api.devices) +
                           (api.devices == 1 ? " device" : " devices") + " present");
    check(api.device_get(&id, ordinal), label, "opening it");
    char text[128] = {};
    check(api.device_name(text, sizeof text - 1, id), label, "asking for its name");
    name = text;
    check(api.primary_retain(&primary, id), label, "creating its context");
    const current_context here(*this);
    check(api.stream_create(&work, stream_default), label, "creating a stream");

    facts = facts_of(attribute(api, attribute_major, id, label) * 10 + attribute(api, attribute_minor, id, label),
                     attribute(api, attribute_processors, id, label), api.version);
}

}  // namespace frit::v0::detail::cuda
