// save_plan(): the graph as Graphviz text, drawn where its program is there, and nothing else on the disk touched.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "frit/frit.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/temporary_folder.hpp"

namespace {
namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    return {std::istreambuf_iterator<char>(in), {}};
}

class SavePlan : public ::testing::Test {
protected:
    fs::path operator()(const char* name) const { return folder_ / name; }
    const frit::array<float> y = frit::sqrt(frit::arange<float>(8)) * 2.0F;

private:
    frit::detail::temporary_folder folder_{"test"};
};

TEST_F(SavePlan, AsText) {
    const std::string file = (*this)("plan.dot").string();
    frit::save_plan(file, y);
    EXPECT_EQ(contents(file), frit::make_plan(y).to_dot());
}

TEST_F(SavePlan, Drawn) {
    const fs::path file = (*this)("plan.svg"), beside = (*this)("plan.svg.dot");
    std::ofstream(beside) << "mine";
    if (frit::detail::run_process({"dot", "-V"}).status == 0) {
        frit::save_plan(file.string(), y);
        EXPECT_NE(contents(file).find("<svg"), std::string::npos);
        EXPECT_NE(contents(file).find("sqrt"), std::string::npos);
        const fs::path here = fs::current_path();
        fs::current_path(file.parent_path());
        frit::save_plan("-o.svg", y);  // a name, no option
        fs::current_path(here);
        EXPECT_EQ(contents((*this)("-o.svg")), contents(file));
    } else {
        try {
            frit::save_plan(file.string(), y);
            ADD_FAILURE() << "no error without Graphviz";
        } catch (const frit::io_error& e) {
            EXPECT_NE(std::string(e.what()).find("Debian: graphviz"), std::string::npos) << e.what();
        }
        EXPECT_FALSE(fs::exists(file));
    }
    EXPECT_EQ(contents(beside), "mine");
}

TEST_F(SavePlan, Nowhere) {
    EXPECT_THROW(frit::save_plan((*this)("plan.txt").string(), y), frit::io_error);
    EXPECT_THROW(frit::save_plan((*this)("no/plan.dot").string(), y), frit::io_error);
    EXPECT_THROW(frit::save_plan((*this)("no/plan.svg").string(), y), frit::io_error);
}

}  // namespace
