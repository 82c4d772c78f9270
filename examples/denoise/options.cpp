// The usage text, and the options as numbers.
#include "options.hpp"

#include <stdexcept>

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

options parse(const command_line& line) {
    options o;
    o.device = line.text("--device", "");
    o.input = line.text("--input", FRIT_EXAMPLE_DATA "/hubble_deep_field.png");
    o.output = line.text("--output", ".");
    o.steps = line.number("--steps", o.steps, 1, 1'000'000);
    o.kappa = line.number("--kappa", o.kappa, 1e-6f, 1e6f);
    o.lambda = line.number("--lambda", o.lambda, 0.0f, 0.25f);
    o.figures = line.given("--figures");
    if (line.given("--detail")) {
        const std::string corner = line.text("--detail", "");
        const std::size_t comma = corner.find(',');
        if (comma == corner.npos) throw std::runtime_error("--detail needs X,Y");
        o.x = command_line::to_number("--detail", corner.substr(0, comma), 0, 1'000'000);
        o.y = command_line::to_number("--detail", corner.substr(comma + 1), 0, 1'000'000);
    }
    return o;
}
