// The kernel cache under attack: nothing that another user could have written is ever loaded. Most of it needs root, who
// alone can be two users; what a user can do to himself by mistake is tried by anybody.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "src/base/private_folder.hpp"
#include "src/base/subprocess.hpp"
#include "src/cache/disk.hpp"
#include "src/cpu/shared_object.hpp"
#include "tests/support/other_users.hpp"
#include "tests/support/run_program.hpp"

namespace {

namespace fs = std::filesystem;
using frit::detail::cache_key;
using frit::detail::disk_cache;
using frit_test::as_user;
using frit_test::attacker;
using frit_test::victim;

const cache_key key{"host_c", "text", "-O2", "baseline", "a compiler"};

std::string loaded_from(const fs::path& folder) {
    return disk_cache(folder.string(), 1 << 20).load(key).value_or("nothing");
}
void store_in(const fs::path& folder, const std::string& binary) {
    disk_cache(folder.string(), 1 << 20).store(key, binary, "source", ".cpp");
}
fs::path entry_in(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".bin") return entry.path();
    return {};
}

/// A folder below /tmp that everybody may enter, and which nobody but its owner can change.
class CacheAttack : public ::testing::Test {
protected:
    void SetUp() override {
        umask_before = ::umask(0022);
        std::string pattern = (fs::temp_directory_path() / "frit-attack-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        base = pattern;
        set_mode(base, 0755);
    }
    void TearDown() override {
        ::umask(umask_before);
        fs::remove_all(base);
    }

    static void set_mode(const fs::path& p, mode_t mode) { ASSERT_EQ(::chmod(p.c_str(), mode), 0) << p; }
    static void give(const fs::path& p, uid_t user) { ASSERT_EQ(::lchown(p.c_str(), user, user), 0) << p; }

    fs::path base;
    mode_t umask_before = 0;
};

/// The same between two users: the folder of one, and a whole entry in it.
class CacheAttackByAnother : public CacheAttack {
protected:
    void SetUp() override {
        if (!frit_test::can_be_others()) GTEST_SKIP() << "only root can try what two users do to each other";
        CacheAttack::SetUp();
    }
    void TearDown() override {
        if (!base.empty()) CacheAttack::TearDown();
    }

    /// A folder that its owner used as a cache.
    fs::path cache_of(uid_t user, const std::string& binary, const char* name = "cache") {
        const fs::path folder = base / name;
        fs::create_directory(folder);
        give(folder, user);
        set_mode(folder, 0700);
        EXPECT_EQ(as_user(user, [&] { return store_in(folder, binary), loaded_from(folder); }), binary);
        return folder;
    }
    std::string victim_loads(const fs::path& folder) {
        return as_user(victim, [&] { return loaded_from(folder); });
    }
    std::string victim_stores_and_loads(const fs::path& folder) {
        return as_user(victim, [&] { return store_in(folder, "own"), loaded_from(folder); });
    }
};

TEST_F(CacheAttackByAnother, WhatOnesOwnProcessesStoreIsLoaded) { EXPECT_EQ(victim_loads(cache_of(victim, "own")), "own"); }

TEST_F(CacheAttackByAnother, APlantedFile) {
    const fs::path folder = cache_of(victim, "planted");
    give(entry_in(folder), attacker);
    EXPECT_EQ(victim_loads(folder), "nothing");
    EXPECT_TRUE(fs::exists(entry_in(folder))) << "it is not ours to remove";
    EXPECT_EQ(victim_stores_and_loads(folder), "own") << "a store puts a file of one's own in its place";
}

TEST_F(CacheAttackByAnother, AFolderOfAnother) {
    const fs::path folder = cache_of(attacker, "planted");
    for (const mode_t mode : {0755, 0777, 01777}) {
        set_mode(folder, mode);
        set_mode(entry_in(folder), 0644);
        EXPECT_EQ(victim_loads(folder), "nothing");
        give(entry_in(folder), victim);  // a hard link to a file of the victim's would look so
        EXPECT_EQ(victim_loads(folder), "nothing");
        EXPECT_EQ(victim_stores_and_loads(folder), "nothing");
        give(entry_in(folder), attacker);
    }
}

TEST_F(CacheAttackByAnother, AFolderOfAnotherIsNotRootsEither) {
    const fs::path folder = cache_of(attacker, "planted");
    set_mode(folder, 0755);
    EXPECT_EQ(loaded_from(folder), "nothing");
    store_in(folder, "own");
    EXPECT_EQ(loaded_from(folder), "nothing");
    // nor what root would make below a user's folder, where it would stand in his way
    store_in(folder / "below", "own");
    EXPECT_FALSE(fs::exists(folder / "below"));
}

TEST_F(CacheAttackByAnother, ALinkInTheFoldersPlace) {
    const fs::path own = cache_of(victim, "own", "own"), evil = cache_of(attacker, "planted", "evil"), link = base / "link";
    set_mode(evil, 0755);
    set_mode(entry_in(evil), 0644);
    for (const auto& [target, owner] : {std::pair{evil, attacker}, {evil, victim}, {own, attacker}, {own, victim}}) {
        fs::remove(link);
        fs::create_directory_symlink(target, link);
        give(link, owner);
        EXPECT_EQ(victim_loads(link), "nothing") << target << " " << owner;
        EXPECT_EQ(victim_stores_and_loads(link), "nothing") << target << " " << owner;
    }
}

TEST_F(CacheAttackByAnother, ALinkOnTheWay) {
    fs::create_directory(base / "home");
    give(base / "home", victim);
    const fs::path folder = cache_of(victim, "own", "home/cache"), link = base / "link";
    fs::create_directory_symlink("home", link);
    give(link, attacker);
    EXPECT_EQ(victim_loads(link / "cache"), "nothing");
    EXPECT_EQ(victim_stores_and_loads(link / "cache"), "nothing");
    for (const uid_t owner : {victim, uid_t{0}}) {  // a home that lies elsewhere
        give(link, owner);
        EXPECT_EQ(victim_loads(link / "cache"), "own");
    }
    fs::remove(link);
    fs::create_symlink("link", link);
    EXPECT_EQ(victim_loads(link / "cache"), "nothing") << "a circle";
}

TEST_F(CacheAttackByAnother, AFolderAboveInWhichOthersRename) {
    const fs::path above = base / "above";
    fs::create_directory(above);
    const fs::path folder = cache_of(victim, "own", "above/cache");
    struct {
        uid_t owner;
        mode_t mode;
        const char* loaded;
    } const cases[] = {
        {0, 0755, "own"},          {0, 01777, "own"},           {victim, 0700, "own"},       {0, 0777, "nothing"},
        {victim, 0777, "nothing"}, {attacker, 0755, "nothing"}, {attacker, 01777, "nothing"}};
    for (const auto& c : cases) {
        give(above, c.owner);
        set_mode(above, c.mode);
        EXPECT_EQ(victim_loads(folder), c.loaded) << c.owner << " " << std::oct << c.mode;
    }
    give(above, victim);
    set_mode(above, 0775);
    EXPECT_EQ(victim_loads(folder), "own") << "the victim's own group";
    ASSERT_EQ(::chown(above.c_str(), victim, attacker), 0);
    set_mode(above, 0775);
    EXPECT_EQ(victim_loads(folder), "nothing") << "another group";
}

TEST_F(CacheAttackByAnother, AFolderThatRootKeepsForAllIsRead) {
    const fs::path folder = base / "shared";
    store_in(folder, "root's");
    EXPECT_EQ(victim_loads(folder), "nothing") << "it is for root alone until root says otherwise";
    set_mode(folder, 0755);
    for (const auto& entry : fs::directory_iterator(folder)) set_mode(entry.path(), 0644);
    EXPECT_EQ(victim_stores_and_loads(folder), "root's");
    give(entry_in(folder), attacker);
    EXPECT_EQ(victim_loads(folder), "nothing");
}

// In most containers without root, the folders above a home belong to a root whom the container does not know.
TEST_F(CacheAttackByAnother, ANamespaceThatDoesNotKnowRoot) {
    const fs::path folder = cache_of(victim, "own");
    const auto only_oneself = [&]() -> std::string {
        ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // else /proc/self is root's
        if (::unshare(CLONE_NEWUSER) != 0) return "none";
        const std::string user = std::to_string(victim);
        std::ofstream("/proc/self/uid_map") << user + " " + user + " 1\n";
        struct stat root {};
        if (::geteuid() != victim || ::stat("/", &root) != 0 || root.st_uid == 0) return "none";
        return loaded_from(folder);
    };
    const std::string own = as_user(victim, only_oneself);
    if (own == "none") GTEST_SKIP() << "no user namespaces here";
    EXPECT_EQ(own, "own");
    give(base, attacker);
    EXPECT_EQ(victim_loads(folder), "nothing");
    set_mode(base, 0777);
    give(base, 0);
    EXPECT_EQ(as_user(victim, only_oneself), "nothing") << "others can write there, whoever it belongs to";
    set_mode(base, 0755);
    give(entry_in(folder), 0);
    set_mode(entry_in(folder), 0644);
    EXPECT_EQ(victim_loads(folder), "own");
    EXPECT_EQ(as_user(victim, only_oneself), "nothing") << "a file of nobody's may be anybody's";
}

// A cache that other processes filled with real kernels, run by the real engine.
TEST_F(CacheAttackByAnother, TheEngineRunsNoKernelOfAnother) {
    const fs::path folder = base / "cache";
    const auto probe = [&] {
        return frit_test::run_program(
                   "-u FRIT_LOG -u FRIT_DUMP -u TMPDIR FRIT_DEVICE=cpu FRIT_CPU_ENGINE=cxx FRIT_CACHE_DIR=" +
                   folder.string() + " " FRIT_TEST_BINARY_DIR "/frit_test_probe")
            .text;
    };
    fs::create_directory(folder);
    give(folder, attacker);
    set_mode(folder, 0700);
    const std::string first = as_user(attacker, probe);
    if (first.find("result ") == std::string::npos) GTEST_SKIP() << "other users cannot run the probe: " << first;
    EXPECT_NE(as_user(attacker, probe).find("compilations 0"), std::string::npos);
    set_mode(folder, 0755);
    for (const auto& entry : fs::directory_iterator(folder)) set_mode(entry.path(), 0644);
    const std::string text = as_user(victim, probe);
    EXPECT_NE(text.find("result 385 3 1.5"), std::string::npos) << text;
    EXPECT_NE(text.find("disk_hits 0"), std::string::npos) << text;
    // The attacker's files in a folder of the victim's, as if it had been open once.
    give(folder, victim);
    EXPECT_NE(as_user(victim, probe).find("disk_hits 0"), std::string::npos);
}

// A set-user-id program takes nothing from the environment that its user chose.
TEST_F(CacheAttackByAnother, APrivilegedProgramTakesNothingFromTheEnvironment) {
    struct statvfs info {};
    ASSERT_EQ(::statvfs(base.c_str(), &info), 0);
    if (info.f_flag & ST_NOSUID || ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0) GTEST_SKIP() << "no set-user-id here";
    const fs::path program = base / "frit-info", dump = base / "dump";
    fs::copy_file(FRIT_TEST_BINARY_DIR "/../frit-info", program);
    give(program, victim);
    set_mode(program, 04755);
    const auto run = [&] {
        return frit_test::run_program(
                   "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=cxx FRIT_SYNC=1 HOME=/h XDG_CACHE_HOME=/x FRIT_CACHE_DIR=/c "
                   "CXX=/evil/c++ CUDA_HOME=/evil/cuda FRIT_DUMP=" +
                   dump.string() + " " + program.string())
            .text;
    };
    const std::string text = as_user(attacker, run);
    if (text.find("frit ") != 0) GTEST_SKIP() << "other users cannot run frit-info: " << text;
    EXPECT_NE(text.find("none: kernels are not kept on disk"), std::string::npos) << text;
    EXPECT_EQ(text.find(", set ["), std::string::npos) << text;
    EXPECT_EQ(text.find("evil"), std::string::npos) << text;
    set_mode(program, 0755);  // the same program without the bit does
    EXPECT_NE(as_user(attacker, run).find("/evil/c++"), std::string::npos);
}

TEST_F(CacheAttack, AFolderThatOthersMayWrite) {
    const fs::path folder = base / "cache";
    store_in(folder, "binary");
    ASSERT_EQ(loaded_from(folder), "binary");
    for (const mode_t mode : {0777, 0770, 0720, 0702, 01777}) {
        set_mode(folder, mode);
        EXPECT_EQ(loaded_from(folder), "nothing") << std::oct << mode;
        EXPECT_NE(disk_cache(folder.string(), 1 << 20).problem().find("lets others write"), std::string::npos);
        store_in(folder, "binary");
        EXPECT_EQ(loaded_from(folder), "nothing") << std::oct << mode;
    }
    set_mode(folder, 0755);
    EXPECT_EQ(loaded_from(folder), "binary");
}

TEST_F(CacheAttack, AFileThatOthersMayWrite) {
    const fs::path folder = base / "cache";
    store_in(folder, "binary");
    for (const mode_t mode : {0666, 0660, 0602}) {
        set_mode(entry_in(folder), mode);
        EXPECT_EQ(loaded_from(folder), "nothing") << std::oct << mode;
    }
    set_mode(entry_in(folder), 0644);
    EXPECT_EQ(loaded_from(folder), "binary");
}

TEST_F(CacheAttack, SomethingElseInAFilesPlace) {
    const fs::path folder = base / "cache", elsewhere = base / "elsewhere";
    store_in(folder, "binary");
    const fs::path entry = entry_in(folder);
    fs::rename(entry, elsewhere);
    EXPECT_EQ(loaded_from(folder), "nothing");
    fs::create_symlink(elsewhere, entry);
    EXPECT_EQ(loaded_from(folder), "nothing") << "a link to a whole entry";
    fs::remove(entry);
    ASSERT_EQ(::mkfifo(entry.c_str(), 0600), 0);
    EXPECT_EQ(loaded_from(folder), "nothing") << "a pipe that nobody writes to";
    fs::remove(entry);
    fs::create_directory(entry);
    EXPECT_EQ(loaded_from(folder), "nothing") << "a folder";
    fs::remove(entry);
    fs::create_symlink(elsewhere, entry);
    store_in(folder, "new");  // takes the link's place, and writes nothing through it
    EXPECT_EQ(loaded_from(folder), "new");
    fs::rename(elsewhere, entry);
    EXPECT_EQ(loaded_from(folder), "binary");
}

TEST_F(CacheAttack, AMissingFolderIsNoTroubleUntilItCannotBe) {
    EXPECT_EQ(disk_cache((base / "a/b").string(), 1 << 20).problem(), "");
    EXPECT_EQ(disk_cache("", 1 << 20).problem(), "");
    std::ofstream(base / "file") << "x";
    EXPECT_NE(disk_cache((base / "file/b").string(), 1 << 20).problem().find("is no folder"), std::string::npos);
    EXPECT_NE(disk_cache((base / "file").string(), 1 << 20).problem().find("is no folder"), std::string::npos);
}

TEST_F(CacheAttack, PathsAreFollowedAsTheyAreWritten) {
    store_in(base / "cache", "binary");
    for (const char* path : {"/cache/", "/./cache", "/cache/.", "/cache/../cache", "//cache//"})
        EXPECT_EQ(loaded_from(base.string() + path), "binary") << path;
    EXPECT_EQ(loaded_from(base / "none/../cache"), "nothing");
    const fs::path here = fs::current_path();
    fs::current_path(base);
    EXPECT_EQ(loaded_from("cache"), "binary");
    fs::current_path(here);
}

/// A library whose function frit_answer() gives this number.
fs::path library(const fs::path& folder, int answer) {
    const fs::path source = folder / (std::to_string(answer) + ".cpp"), made = folder / (std::to_string(answer) + ".so");
    std::ofstream(source) << "extern \"C\" int frit_answer() { return " << answer << "; }\n";
    const auto ran = frit::detail::run_process({"c++", "-shared", "-fPIC", "-o", made.string(), source.string()},
                                               std::chrono::minutes(5));
    EXPECT_EQ(ran.status, 0) << ran.output;
    return made;
}
int answer_of(void* opened) {
    const auto function = opened ? reinterpret_cast<int (*)()>(::dlsym(opened, "frit_answer")) : nullptr;
    return function ? function() : -1;
}

TEST_F(CacheAttack, AFileThatIsExchangedBetweenCheckAndUse) {
    const fs::path one = library(base, 1), two = library(base, 2);
    const frit::detail::descriptor checked = frit::detail::open_to_read(AT_FDCWD, one.string());
    fs::rename(two, one);
    void* const opened = frit::detail::open_shared_object(checked.get(), one.string());
    EXPECT_EQ(answer_of(opened), 1);
    if (opened) ::dlclose(opened);
}

TEST_F(CacheAttackByAnother, WithoutProcTheFileIsFoundByItsPath) {
    const fs::path one = library(base, 1);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("none", "/proc", "tmpfs", 0, nullptr) != 0)
            ::_exit(77);
        const frit::detail::descriptor checked = frit::detail::open_to_read(AT_FDCWD, one.string());
        ::_exit(answer_of(frit::detail::open_shared_object(checked.get(), one.string())));
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mounts here";
    EXPECT_EQ(WEXITSTATUS(status), 1);
}

// The loader goes by names, and the next file may have the same descriptor.
TEST_F(CacheAttack, ADescriptorThatComesAgainIsAnotherLibrary) {
    int descriptors[2];
    for (const int k : {0, 1}) {
        const fs::path file = library(base, k + 1);
        const frit::detail::descriptor checked = frit::detail::open_to_read(AT_FDCWD, file.string());
        descriptors[k] = checked.get();
        EXPECT_EQ(answer_of(frit::detail::open_shared_object(checked.get(), file.string())), k + 1);  // stays open
    }
    EXPECT_EQ(descriptors[0], descriptors[1]) << "else this shows nothing";
}

}  // namespace
