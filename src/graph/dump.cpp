// FRIT_DUMP=dir: every new plan leaves its text, its Graphviz graph and its kernels' sources there, named by the process and
// numbered in order. What cannot be written is said once, on stderr: an aid for finding mistakes makes none of its own.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "fusion/codegen/dialect.hpp"
#include "fusion/codegen/llvm_loops.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/host/host.hpp"
#include "src/base/env.hpp"
#include "src/base/file.hpp"
#include "src/base/private_folder.hpp"
#include "src/graph/eval.hpp"

namespace frit::inline v0::detail {
namespace {

void complain(const std::string& file, const std::string& why) {
    static std::atomic_flag said;
    if (!said.test_and_set()) std::fprintf(stderr, "frit: FRIT_DUMP: cannot write %s: %s\n", file.c_str(), why.c_str());
}

}  // namespace

std::string source_of(const context& home, const fusion::kernel_spec& spec) {
    if (home.cuda_ordinal >= 0) return fusion::emit(spec, fusion::cuda_c(), home.engine.target());
    const fusion::target& t = home.engine.target();
    if (has_cumulative(spec)) return fusion::to_string(spec);  // the interpreter's under every engine
    if (home.engine.engine().starts_with("cxx")) return fusion::emit(spec, fusion::host_c(), t);
    if (home.engine.engine().starts_with("jit")) return fusion::llvm_text(fusion::host_loops(spec, t, "frit_kernel"), t);
    return fusion::to_string(spec);
}

void dump_plan(const context& home, const expansion& e, const fusion::execution_plan& plan) {
    if (env().dump_dir.empty()) return;
    static std::atomic<int> count{0};
    char name[48];  // of all files of this plan; two processes share a folder
    std::snprintf(name, sizeof name, "%ld.%04d", static_cast<long>(::getpid()), count.fetch_add(1));
    const std::string number = name, path = env().dump_dir;
    std::string trouble;
    const descriptor folder = open_by_own_links(path, trouble);
    // A new file in the place of one from an older process of this number, or of a link: nothing is written through it.
    const auto write = [&](const std::string& file, const std::string& text) {
        const int failure = folder ? write_by_rename(folder.get(), number + file, {text}, 0644) : 0;
        if (!folder || failure != 0)
            complain((std::filesystem::path(path) / (number + file)).string(), folder ? std::strerror(failure) : trouble);
    };
    write(".plan.txt", fusion::explain(e.graph, plan, home.engine.target()));
    write(".graph.dot", fusion::to_dot(e.graph, plan));
    for (std::size_t k = 0; k < plan.launches.size(); ++k) {
        if (plan.launches[k].call) continue;
        const fusion::kernel_spec& spec = plan.launches[k].spec;
        const std::string kernel = ".kernel" + std::to_string(k);
        const bool gpu = home.cuda_ordinal >= 0;
        write(kernel + (gpu ? ".cu" : ".txt"), source_of(home, spec));
        if (!gpu && has_cumulative(spec)) continue;
        write(kernel + ".loops.txt", to_string(gpu ? fusion::gpu_loops(spec, "frit_kernel")
                                                   : fusion::host_loops(spec, home.engine.target(), "frit_kernel")));
    }
}

}  // namespace frit::v0::detail
