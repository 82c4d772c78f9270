// Reads the CSV file of measurements.
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "least_squares.hpp"

measurements read_measurements(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::string line;
    if (!std::getline(file, line) || line != "year,month,ppm")
        throw std::runtime_error(path + ":1: expected the header year,month,ppm");
    std::vector<double> year, ppm;
    for (int number = 2; std::getline(file, line); ++number) {
        std::istringstream fields(line);
        int y = 0, month = 0;
        double value = 0;
        char comma = 0, second = 0;
        if (!(fields >> y >> comma >> month >> second >> value) || comma != ',' || second != ',' || month < 1 ||
            month > 12 || fields.peek() != std::char_traits<char>::eof())
            throw std::runtime_error(path + ":" + std::to_string(number) + ": expected a year, a month and a number");
        year.push_back(y + (month - 0.5) / 12);
        ppm.push_back(value);
    }
    if (year.empty()) throw std::runtime_error(path + ": no measurements");
    return {frit::from_host(year), frit::from_host(ppm)};
}
