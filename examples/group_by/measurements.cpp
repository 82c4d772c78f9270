// The CSV file of measurements, made up and read: whole numbers and decimal fractions by std::from_chars, from a file that
// is in memory as a whole.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>
#include <random>
#include <stdexcept>

#include "group_by.hpp"

namespace {

constexpr const char header[] = "station,celsius\n";

using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
file open(const std::string& path, const char* mode) {
    file f(std::fopen(path.c_str(), mode), &std::fclose);
    if (!f) throw std::runtime_error("cannot open " + path);
    return f;
}

struct climate {
    std::int32_t station;
    double mean, summer, weather;  // over the year; how much warmer July is; how far days are from what is usual
};
/// Numbers of weather stations and, roughly, what they measure: from Svalbard to Singapore and to the South Pole.
constexpr climate climates[] = {{1008, -4, 9, 5},    {2836, 0, 14, 6},   {3772, 11, 7, 4},     {4360, -1, 7, 4},
                                {6011, 7, 4, 3},     {7156, 13, 8, 4},   {8222, 15, 10, 4},    {10384, 10, 10, 5},
                                {16239, 16, 9, 4},   {17130, 12, 12, 5}, {22550, 2, 15, 6},    {24959, -8, 29, 5},
                                {27612, 6, 14, 6},   {40375, 23, 11, 4}, {42182, 25, 9, 4},    {47662, 16, 11, 4},
                                {48698, 28, 1, 2},   {60390, 18, 8, 4},  {62366, 22, 8, 4},    {68816, 17, -5, 3},
                                {71072, -16, 19, 7}, {72503, 13, 13, 5}, {89009, -49, -16, 6}, {94767, 18, -5, 4}};

}  // namespace

void write_measurements(const std::string& path, std::int64_t rows) {
    std::mt19937_64 engine(20240607);
    const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    // Under another name until it is whole, so that half a file is never taken for one.
    const std::string partial = path + ".partial";
    {
        const file out = open(partial, "wb");
        std::string text = header;
        bool written = true;
        for (std::int64_t row = 0; row < rows; ++row) {
            const double often = uniform() * uniform();  // the first stations most often
            const climate& c = climates[static_cast<std::size_t>(often * static_cast<double>(std::size(climates)))];
            const double day = 2 * std::numbers::pi * uniform();
            const double weather =
                uniform() + uniform() + uniform() + uniform() - 2;  // close to normal, deviation 1/sqrt(3)
            const double celsius = c.mean + c.summer * std::cos(day) + std::sqrt(3.0) * c.weather * weather;
            std::array<char, 48> line{};
            const int length = std::snprintf(line.data(), line.size(), "%d,%.1f\n", c.station, celsius);
            text.append(line.data(), static_cast<std::size_t>(length));
            if (text.size() > (1 << 20) || row + 1 == rows) {
                written = written && std::fwrite(text.data(), 1, text.size(), out.get()) == text.size();
                text.clear();
            }
        }
        if (!written || std::fflush(out.get()) != 0) throw std::runtime_error("cannot write " + partial);
    }
    std::filesystem::rename(partial, path);
}

measurements read_measurements(const std::string& path) {
    std::string text;
    {
        const file in = open(path, "rb");
        std::array<char, 1 << 16> block{};
        while (const std::size_t got = std::fread(block.data(), 1, block.size(), in.get())) text.append(block.data(), got);
        if (std::ferror(in.get()) != 0) throw std::runtime_error("cannot read " + path);
    }
    if (text.compare(0, sizeof header - 1, header) != 0)
        throw std::runtime_error(path + ":1: expected the header station,celsius");
    measurements m;
    const char *at = text.data() + sizeof header - 1, *end = text.data() + text.size();
    while (at != end) {
        std::int32_t station = 0;
        double celsius = 0;
        const auto [comma, no_station] = std::from_chars(at, end, station);
        const bool more = no_station == std::errc() && comma != end && *comma == ',';
        const auto [newline, no_celsius] = std::from_chars(more ? comma + 1 : end, end, celsius);
        if (no_celsius != std::errc() || (newline != end && *newline != '\n'))
            throw std::runtime_error(path + ":" + std::to_string(m.station.size() + 2) + ": expected two numbers");
        m.station.push_back(station), m.celsius.push_back(celsius);
        at = newline == end ? end : newline + 1;
    }
    if (m.station.empty()) throw std::runtime_error(path + ": no measurements");
    return m;
}
