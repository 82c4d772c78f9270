// The main of every test executable: GoogleTest's, with the environment settled before anything of frit runs.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
