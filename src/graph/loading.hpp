// Libraries that a GPU's calls need are loaded beside other work, by a thread of its own: cuBLAS takes a third of a second.
// A plan's while its kernels compile; that of products from the first one on that is recorded, since it will be asked for.
// What such a thread finds wrong is left to who asks for the library.
#pragma once

#include <thread>

#include "src/graph/context.hpp"

namespace frit::inline v0::detail {

/// While one lives, another thread may load what a plan's calls need.
class loading_aside {
public:
    /// In the midst of a plan there is no such thread: fork() would not know that it belongs to that plan. Nor on the CPU,
    /// where loading takes little, or where there is nothing to do meanwhile.
    loading_aside(backend& engine, const fusion::execution_plan& plan);
    ~loading_aside() { (void)end(); }
    loading_aside(const loading_aside&) = delete;
    loading_aside& operator=(const loading_aside&) = delete;

    /// Whether there is such a thread: else libraries are there to be asked for first.
    bool begun() const noexcept { return thread_.joinable(); }
    /// Waits for it. @returns whether there was one
    bool end() noexcept;

private:
    std::thread thread_;
};

/// A product that is recorded: of these shapes, in this dtype.
struct recorded_product {
    const shape *a, *b;
    dtype type;
};

/// Begins, once in a process, to load the library of products where one is recorded that will be its call on a GPU. fork()
/// waits for it as for a plan that runs, and so does this thread at its end.
void load_early(context& home, const recorded_product&);

}  // namespace frit::v0::detail
