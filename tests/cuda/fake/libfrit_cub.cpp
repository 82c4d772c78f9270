// A plugin for the fake driver: it writes down what it is asked for and marks its workspace. What the real one computes is
// for a GPU to show.
#include <cstring>
#include <new>

#include "src/cuda/cub/frit_cub.h"
#include "tests/cuda/fake/state.hpp"

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

frit_test::fake_cub_state state;
constexpr int invalid_value = 1;

}  // namespace

FAKE frit_test::fake_cub_state* fake_cub_state_of_this_process() { return &state; }

FAKE int frit_cub_interface() { return FRIT_CUB_INTERFACE; }
FAKE const char* frit_cub_text(int status) { return status == invalid_value ? "the fake plugin refuses" : "success"; }
FAKE int frit_cub_scatter_workspace(const frit_cub_scatter* c, std::size_t* bytes) {
    *bytes = 8 * static_cast<std::size_t>(c->count);
    return 0;
}
FAKE int frit_cub_scatter_run(const frit_cub_scatter* c, const void* base, const void* at, const void* values, void* to,
                              std::uint64_t* fault, void* workspace, void*) {
    state.scatter = *c;
    state.fault = fault;
    if (c->indices != 0 && state.faulty_index != 0) {
        fault[0] = 1;
        fault[1] = static_cast<std::uint64_t>(state.faulty_index);
        fault[2] = static_cast<std::uint64_t>(c->size);
    }
    state.scattered[0] = base, state.scattered[1] = at, state.scattered[2] = values;
    state.to[0] = to;
    state.workspace = workspace;
    ++state.calls;
    return state.refuse ? invalid_value : 0;
}
FAKE int frit_cub_select_workspace(const frit_cub_select* c, std::size_t* bytes) {
    *bytes = 16 * static_cast<std::size_t>(c->count);
    return 0;
}
FAKE int frit_cub_select_run(const frit_cub_select* c, const void* from, const std::int64_t* ranks, void* const* to,
                             void* workspace, void*) {
    state.select = *c;
    state.from = from;
    state.ranks = ranks;
    for (int k = 0; k < 3; ++k) state.selected[k] = c->results >> k & 1 ? to[k] : nullptr;
    state.workspace = workspace;
    ++state.calls;
    return state.refuse ? invalid_value : 0;
}
FAKE int frit_cub_compress_workspace(const frit_cub_compress* c, std::size_t* bytes) {
    *bytes = 2 * static_cast<std::size_t>(c->length) + 1;
    return 0;
}
FAKE int frit_cub_compress_run(const frit_cub_compress* c, const void* mask, const void* from, void* to, void* workspace,
                               void* stream) {
    state.compress = *c;
    state.mask = mask;
    state.from = from;
    state.to[0] = to;
    state.workspace = workspace;
    state.stream = stream;
    ++state.calls;
    return state.refuse ? invalid_value : 0;
}
FAKE int frit_cub_workspace(const frit_cub_call* c, std::size_t* bytes) {
    *bytes = static_cast<std::size_t>(c->rows * c->length) * 3 + 1;
    return c->bytes > 16 ? invalid_value : 0;
}
FAKE int frit_cub_run(const frit_cub_call* c, const void* from, void* const* to, void* workspace, void* stream) {
    std::size_t bytes = 0;
    frit_cub_workspace(c, &bytes);
    std::memset(workspace, 0xcc, bytes);
    state = {*c,           from,         {to[0], (c->results & 2) != 0 ? to[1] : nullptr},
             workspace,    stream,       state.calls + 1,
             state.refuse, state.starved};
    if (state.starved) throw std::bad_alloc();
    return state.refuse ? invalid_value : 0;
}
