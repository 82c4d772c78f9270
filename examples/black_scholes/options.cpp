// Reads the CSV file of options.
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "black_scholes.hpp"

option_table read_options(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::string line;
    if (!std::getline(file, line) || line != "spot,strike,years,rate,volatility")
        throw std::runtime_error(path + ":1: expected the header spot,strike,years,rate,volatility");

    option_table table;
    const std::array columns{&table.spot, &table.strike, &table.years, &table.rate, &table.volatility};
    for (int number = 2; std::getline(file, line); ++number) {
        std::istringstream fields(line);
        std::string field;
        for (std::vector<double>* column : columns) {
            std::size_t used = 0;
            try {
                std::getline(fields, field, ',');
                column->push_back(std::stod(field, &used));
            } catch (const std::logic_error&) {  // stod: no number, or one out of range
            }
            if (!fields || used == 0 || used != field.size())
                throw std::runtime_error(path + ":" + std::to_string(number) + ": expected five numbers");
        }
        if (std::getline(fields, field))
            throw std::runtime_error(path + ":" + std::to_string(number) + ": too many columns");
    }
    if (table.spot.empty()) throw std::runtime_error(path + ": no options");
    return table;
}
