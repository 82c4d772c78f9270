// Parses the command line.
#include "options.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

const char* const usage =
    "usage: denoise [options]\n"
    "\n"
    "Removes the noise of a picture and keeps its edges (Perona-Malik diffusion). Writes denoised.png and\n"
    "before-after.png, and prints what the library made of the formulas.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --steps N           diffusion steps (default 30)\n"
    "  --input FILE        a PNG file (default: the Hubble deep field that comes with the example)\n"
    "  --output FOLDER     where the two pictures go (default: here)\n"
    "  --kappa K           differences well below K in RGB are noise, those above are edges (default 0.06)\n"
    "  --lambda L          step width, at most 0.25 (default 0.2)\n"
    "  --detail X,Y        upper left corner of the detail in before-after.png (default 390,60)\n"
    "  --figures           no pictures: one line 'compilations disk_hits kernels milliseconds', the last two per step\n"
    "  --help              this text\n";

namespace {

template <class T>
T number(std::string_view option, std::string_view text, T low, T high) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
        throw std::runtime_error(std::string(option) + ": '" + std::string(text) + "' is not a number from " +
                                 std::to_string(low) + " to " + std::to_string(high));
    return value;
}

}  // namespace

options parse(int argc, char** argv) {
    options o;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--help" || name == "-h") {
            o.help = true;
            continue;
        }
        if (name == "--figures") {
            o.figures = true;
            continue;
        }
        const bool known = name == "--device" || name == "--steps" || name == "--input" || name == "--output" ||
                           name == "--kappa" || name == "--lambda" || name == "--detail";
        if (!known) throw std::runtime_error("unknown option '" + std::string(name) + "' (--help lists them)");
        if (i + 1 == argc) throw std::runtime_error(std::string(name) + " needs a value");
        const std::string_view value = argv[++i];
        if (name == "--input") o.input = value;
        if (name == "--output") o.output = value;
        if (name == "--steps") o.steps = number(name, value, 1, 1'000'000);
        if (name == "--kappa") o.kappa = number(name, value, 1e-6f, 1e6f);
        if (name == "--lambda") o.lambda = number(name, value, 0.0f, 0.25f);
        if (name == "--device") o.device = value;
        if (name == "--detail") {
            const std::size_t comma = value.find(',');
            if (comma == value.npos) throw std::runtime_error("--detail needs X,Y");
            o.x = number(name, value.substr(0, comma), 0, 1'000'000);
            o.y = number(name, value.substr(comma + 1), 0, 1'000'000);
        }
    }
    return o;
}
