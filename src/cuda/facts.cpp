// Asks the driver for its facts: see facts.hpp.
#include "src/cuda/facts.hpp"

#include <fstream>

#include "src/cuda/driver.hpp"

namespace frit::inline v0::detail::cuda {

std::vector<gpu_facts> facts_of_gpus() {
    std::vector<gpu_facts> all;
    std::string why;
    const driver* const api = find_driver(why);
    for (int ordinal = 0; api && ordinal < api->devices; ++ordinal) {
        const std::string label = "cuda:" + std::to_string(ordinal);
        device_id id = 0;
        check(api->device_get(&id, ordinal), label, "opening it");
        gpu_facts gpu;
        char text[128] = {};
        check(api->device_name(text, sizeof text - 1, id), label, "asking for its name");
        gpu.name = text;
        check(api->device_memory(&gpu.bytes, id), label, "asking for its memory");
        for (const auto& [value, which] : {std::pair(&gpu.major, attribute_major),
                                           {&gpu.minor, attribute_minor},
                                           {&gpu.processors, attribute_processors}})
            check(api->device_attribute(value, which, id), label, "asking for its attributes");
        all.push_back(gpu);
    }
    return all;
}

found_library find_driver_library() {
    found_library l{"CUDA driver", "GPUs", false, ""};
    std::string why;
    const driver* const api = find_driver(why);
    if (!api) {
        l.text = why + "; a GPU needs NVIDIA's driver (Debian: nvidia-driver)";
        return l;
    }
    l.found = true;
    l.text = "CUDA " + std::to_string(api->version / 1000) + "." + std::to_string(api->version % 1000 / 10);
    std::string release;
    if (std::ifstream("/sys/module/nvidia/version") >> release) l.text += ", release " + release;
    l.text += ", " + file_of(reinterpret_cast<const void*>(api->init));
    return l;
}

}  // namespace frit::v0::detail::cuda
