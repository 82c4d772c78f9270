// The groups against a std::map of vectors, with keys of either sign and groups of one; and the CSV file: the same one every
// time, read as another reader reads it, and wrong ones refused by file and line.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>

#include "check.hpp"
#include "group_by.hpp"

namespace {

/// The q-quantile of sorted numbers, linear between two of them.
double quantile(const std::vector<double>& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    return std::lerp(sorted[below], sorted[std::min(below + 1, sorted.size() - 1)], at - std::floor(at));
}

void equals_a_map_of_vectors() {
    constexpr std::size_t rows = 100'000;
    std::mt19937 random(20240607);
    std::normal_distribution<double> number;
    std::vector<std::int32_t> keys(rows);
    std::vector<double> values(rows);
    std::map<std::int32_t, std::vector<double>> expected;
    for (std::size_t i = 0; i < rows; ++i) {
        // A third of a thousand keys, the outer ones of which come once or twice.
        keys[i] = static_cast<std::int32_t>(std::lround(50 * number(random))) * 1'000'003;
        values[i] = 20 + 5 * number(random);
        expected[keys[i]].push_back(values[i]);
    }
    const groups g = group_by(frit::from_host(keys), frit::from_host(values));
    frit::eval(g.count, g.mean, g.deviation, g.least, g.lower, g.median, g.upper, g.most);
    check(static_cast<std::size_t>(g.key.size()) == expected.size(), "groups", static_cast<double>(g.key.size()));

    const std::vector<std::int32_t> key = g.key.to_vector();
    const std::vector<std::int64_t> count = g.count.to_vector();
    const std::vector<double> least = g.least.to_vector(), most = g.most.to_vector(), median = g.median.to_vector();
    const std::vector<double> lower = g.lower.to_vector(), upper = g.upper.to_vector();
    const std::vector<double> mean = g.mean.to_vector(), deviation = g.deviation.to_vector();
    int wrong = 0, single = 0;
    double worst = 0, worst_quantile = 0;
    std::size_t k = 0;
    for (auto& [expected_key, of_key] : expected) {
        std::sort(of_key.begin(), of_key.end());
        const auto n = static_cast<double>(of_key.size());
        const double average = std::accumulate(of_key.begin(), of_key.end(), 0.0) / n;
        double squares = 0;
        for (const double v : of_key) squares += (v - average) * (v - average);
        wrong += key[k] != expected_key || count[k] != static_cast<std::int64_t>(of_key.size());
        wrong += least[k] != of_key.front() || most[k] != of_key.back();
        single += of_key.size() == 1;
        worst = std::max({worst, std::abs(mean[k] - average), std::abs(deviation[k] - std::sqrt(squares / n))});
        worst_quantile =
            std::max({worst_quantile, std::abs(median[k] - quantile(of_key, 0.5)),
                      std::abs(lower[k] - quantile(of_key, 0.25)), std::abs(upper[k] - quantile(of_key, 0.75))});
        ++k;
    }
    check(wrong == 0, "keys, counts and extrema that differ", wrong);
    check(single > 0, "groups of one", single);
    check(worst < 1e-12, "distance of means and deviations", worst);
    check(worst_quantile < 1e-13, "distance of medians and quartiles", worst_quantile);
}

struct temporary_folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("frit_group_by_" + std::to_string(::getpid()));
    temporary_folder() { std::filesystem::create_directories(path); }
    ~temporary_folder() { std::filesystem::remove_all(path); }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
};

std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void the_file_is_read_as_it_is() {
    const temporary_folder folder;
    const std::string first = folder.path / "first.csv", second = folder.path / "second.csv";
    write_measurements(first, 5000);
    write_measurements(second, 5000);
    check(content(first) == content(second), "that two files of 5000 rows are one: bytes",
          static_cast<double>(content(first).size()));

    const measurements m = read_measurements(first);
    std::ifstream in(first);
    std::string header;
    std::getline(in, header);
    std::size_t rows = 0, wrong = 0;
    std::int32_t station = 0;
    char comma = 0;
    for (double celsius = 0; in >> station >> comma >> celsius; ++rows)
        wrong += rows >= m.station.size() || station != m.station[rows] || celsius != m.celsius[rows];
    check(rows == 5000 && m.station.size() == rows && m.celsius.size() == rows, "rows", static_cast<double>(rows));
    check(wrong == 0, "rows that a stream reads otherwise", static_cast<double>(wrong));
}

void wrong_files_are_refused() {
    const temporary_folder folder;
    const std::string path = folder.path / "wrong.csv";
    const auto message = [&](const std::string& text) -> std::string {
        std::ofstream(path) << text;
        try {
            read_measurements(path);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "";
    };
    int wrong = 0;
    wrong += message("celsius,station\n") != path + ":1: expected the header station,celsius";
    wrong += message("station,celsius\n") != path + ": no measurements";
    for (const char* line : {"1,2,3", "1", "1,", ",2", "one,2", "1,two", "1;2", "99999999999,2", ""})
        wrong += message("station,celsius\n1,2.5\n" + std::string(line) + "\n") != path + ":3: expected two numbers";
    check(wrong == 0, "wrong files without the right message", wrong);
    const bool taken = message("station,celsius\n1,2.5").empty();
    check(taken, "a last line without its end is a row", taken ? read_measurements(path).celsius.at(0) : NAN);
}

void run() {
    equals_a_map_of_vectors();
    the_file_is_read_as_it_is();
    wrong_files_are_refused();
}

}  // namespace

int main() { return run_checks(run); }
