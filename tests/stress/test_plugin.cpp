// A library that used frit is closed while its arrays live on: stored arrays, and messages that name their lines.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <string>

#include <frit/frit.hpp>

namespace {

using record_arrays = void (*)(frit::array<float>*, frit::array<float>*, frit::array<float>*);

struct memory_limit {
    explicit memory_limit(std::uint64_t bytes) { frit::set_memory_limit(bytes); }
    ~memory_limit() { frit::set_memory_limit(0); }
};

/// Records in the library, and closes it. @returns whether it is gone
bool record_in_plugin(frit::array<float>& stored, frit::array<float>& updated, frit::array<float>& pending) {
    void* const library = dlopen(FRIT_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        ADD_FAILURE() << dlerror();
        return false;
    }
    const auto record = reinterpret_cast<record_arrays>(dlsym(library, "frit_test_plugin_record"));
    record(&stored, &updated, &pending);
    dlclose(library);
    return dlopen(FRIT_TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD) == nullptr;
}

TEST(Plugin, ItsArraysOutliveIt) {
    const frit::scoped_device cpu(frit::device::cpu());
    frit::array<float> stored, updated, pending;
    ASSERT_TRUE(record_in_plugin(stored, updated, pending));
    pending = {};  // not evaluated: dropping it reads nothing of the library's
    EXPECT_EQ(frit::sum(stored).item(), 512 * 512 * 3.25F);
    frit::array<float> y = updated;
    y(frit::slice(1, 2)) = 1.0F;
    EXPECT_EQ(frit::sum(y).item(), 256 * 8.0F);
    EXPECT_EQ(frit::array<float>(stored + 1.0F).to_vector(), std::vector<float>(512 * 512, 4.25F));
}

TEST(Plugin, MessagesNameItsLines) {
    const frit::scoped_device cpu(frit::device::cpu());
    frit::array<float> stored, updated, pending;
    ASSERT_TRUE(record_in_plugin(stored, updated, pending));
    pending = {};
    const memory_limit tight(frit::stats().live_bytes + 1024);
    try {
        frit::array<float>(frit::full({4096}, 1.0F) * stored(0, 0)).eval();
        FAIL() << "64 KiB fitted into 1 KiB";
    } catch (const frit::out_of_memory& e) {
        EXPECT_NE(std::string(e.what()).find("float32 (512, 512)"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("support/plugin.cpp:"), std::string::npos) << e.what();
    }
}

// The same addresses may hold another library's text the second time.
TEST(Plugin, IsOpenedManyTimes) {
    const frit::scoped_device cpu(frit::device::cpu());
    std::vector<frit::array<float>> all;
    for (int k = 0; k < 40; ++k) {
        frit::array<float> stored, updated, pending;
        ASSERT_TRUE(record_in_plugin(stored, updated, pending));
        all.push_back(updated);
    }
    frit::array<float> total = all[0];
    for (std::size_t k = 1; k < all.size(); ++k) total = total + all[k];
    EXPECT_EQ(frit::sum(total).item(), 40 * 256 * 7.0F);
}

}  // namespace
