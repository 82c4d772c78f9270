// Random words of frit's for a battery of tests that reads them from a pipe: an endless stream of 32-bit words, put together
// in one of the ways in which programs come by them, as the machine has them.
//
// usage: frit_random_stream draws|generators|seeds|slices|interleaved|uniform
//        draws: of one generator, draw after draw; generators: of those that one is split into, over and over; seeds: 0, 1,
//        2,
//        ..., a little of each; slices: parts of large draws, with steps; interleaved: word by word of 8 generators, the
//        rows of a matrix read by columns; uniform: the upper 16 bits of two numbers of float32
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <frit/frit.hpp>

namespace {

using frit::array, frit::random::generator;
using word = std::uint32_t;

constexpr std::int64_t at_once = 1 << 18;

array<word> draws(std::uint64_t) {
    static generator g(1);
    return g.bits<word>({at_once});
}
array<word> generators(std::uint64_t) {
    static generator g(2);
    std::vector<array<word>> parts;
    for (generator& of : g.split(64)) parts.push_back(of.bits<word>({at_once / 64}));
    return frit::concatenate(0, parts);
}
array<word> seeds(std::uint64_t call) {
    std::vector<array<word>> parts;
    for (std::uint64_t k = 0; k < 64; ++k) parts.push_back(generator(64 * call + k).bits<word>({at_once / 64}));
    return frit::concatenate(0, parts);
}
array<word> slices(std::uint64_t call) {
    static generator g(3);
    const auto step = static_cast<std::int64_t>(2 + call % 7);
    const auto of = g.bits<word>({at_once * step});
    return of(frit::slice(step - 1, frit::none, step));
}
array<word> interleaved(std::uint64_t) {
    static std::vector<generator> g = generator(4).split(8);
    std::vector<array<word>> rows;
    for (generator& of : g) rows.push_back(of.bits<word>({at_once / 8}));
    return frit::transpose(frit::stack(0, rows)).reshape({at_once});
}
array<word> uniform(std::uint64_t) {
    static generator g(5);
    const auto upper = frit::cast<word>(g.uniform<float>({2, at_once}) * 65536.0F);
    return upper(0) << 16U | upper(1);
}

}  // namespace

int main(int argc, char** argv) {
    const std::map<std::string, array<word> (*)(std::uint64_t)> ways{
        {"draws", draws},   {"generators", generators},   {"seeds", seeds},
        {"slices", slices}, {"interleaved", interleaved}, {"uniform", uniform}};
    const auto way = ways.find(argc == 2 ? argv[1] : "");
    if (way == ways.end()) {
        std::fprintf(stderr, "usage: frit_random_stream draws|generators|seeds|slices|interleaved|uniform\n");
        return 2;
    }
    for (std::uint64_t call = 0;; ++call) {
        const std::vector<word> words = array<word>(way->second(call)).to_vector();
        if (std::fwrite(words.data(), sizeof(word), words.size(), stdout) != words.size())
            return 0;  // nobody reads any more
    }
}
