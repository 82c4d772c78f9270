// cuFFT behind fourier.hpp, by its C interface.
#include "src/cuda/fourier.hpp"

#include <string>
#include <vector>

#include "frit/error.hpp"
#include "src/cuda/toolkit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

using handle = int;
using extent = long long;
constexpr int status_success = 0, status_no_memory = 2;  // CUFFT_*
constexpr int forward = -1, inverse = 1;

/// As cudaDataType has it.
int type_of(dtype t) { return t == dtype::f32 ? 0 : t == dtype::f64 ? 1 : t == dtype::c64 ? 4 : 5; }

struct library {
    int (*create)(handle*);
    int (*destroy)(handle);
    int (*set_allocation)(handle, int);
    int (*set_stream)(handle, stream);
    int (*make)(handle, int rank, extent* n, extent* in_embed, extent in_stride, extent in_distance, int in_type,
                extent* out_embed, extent out_stride, extent out_distance, int out_type, extent batch, std::size_t* work,
                int computed);
    int (*set_work)(handle, void*);
    int (*run)(handle, void* in, void* out, int direction);
    int (*get_property)(int, int*);
    std::string why;

    library() {
        toolkit_library file("cuFFT", names_by_driver("libcufft.so.", 12, 11));
        file.find(create, "cufftCreate");
        file.find(destroy, "cufftDestroy");
        file.find(set_allocation, "cufftSetAutoAllocation");
        file.find(set_stream, "cufftSetStream");
        file.find(make, "cufftXtMakePlanMany");
        file.find(set_work, "cufftSetWorkArea");
        file.find(run, "cufftXtExec");
        file.find(get_property, "cufftGetProperty");
        why = file.why_not();
    }
};

const library& the_library() {
    static const library* l = new library;  // never destroyed, as all singletons
    return *l;
}

void check_status(int status, const device& d, const fourier_plan& p, const char* doing) {
    if (status == status_success) return;
    std::string what;
    for (int k = 0; k < p.axes; ++k) what += (k > 0 ? " x " : "") + std::to_string(p.n[static_cast<std::size_t>(k)]);
    if (status == status_no_memory) throw out_of_memory(d.label + ": out of memory: cuFFT's plan for " + what);
    throw device_error(d.label + ": cuFFT refuses " + doing + " " + std::to_string(p.batch) + " transforms of " + what +
                       " " + std::string(name_of(p.in.type)) + ": its error " + std::to_string(status));
}

/// Elements of both sides.
std::size_t elements_of(const fourier_plan& p) {
    std::size_t all = 2;
    for (int k = 0; k < p.axes; ++k) all *= static_cast<std::size_t>(p.n[static_cast<std::size_t>(k)]);
    return all;
}

}  // namespace

struct fourier::made_plan {
    handle plan = -1;
    std::size_t work = 0, kept = 0;
    made_plan() = default;
    made_plan(const made_plan&) = delete;
    made_plan& operator=(const made_plan&) = delete;
    ~made_plan() {
        if (plan >= 0) the_library().destroy(plan);
    }
};

bool fourier::found() { return the_library().why.empty(); }

void fourier::require(std::string_view who) const {
    const library& lib = the_library();
    if (!lib.why.empty()) throw device_error(device_.label + ": " + std::string(who) + " needs cuFFT: " + lib.why);
}

std::shared_ptr<const fourier::made_plan> fourier::made(const fourier_plan& p) {
    const auto make = [&]() -> std::shared_ptr<const made_plan> {
        const library& lib = the_library();
        auto m = std::make_shared<made_plan>();
        check_status(lib.create(&m->plan), device_, p, "to plan");
        check_status(lib.set_allocation(m->plan, 0), device_, p, "to plan");
        check_status(lib.set_stream(m->plan, device_.work), device_, p, "to plan");
        fourier_plan own = p;  // cuFFT's interface knows no const
        check_status(lib.make(m->plan, own.axes, own.n.data(), own.in.embed.data(), own.in.stride, own.in.distance,
                              type_of(own.in.type), own.out.embed.data(), own.out.stride, own.out.distance,
                              type_of(own.out.type), own.batch, &m->work, type_of(complex_dtype(real_dtype(own.in.type)))),
                     device_, p, "to plan");
        m->kept = elements_of(p) * size_of(p.in.type);  // no more than tables of a root for each element
        return m;
    };
    return plans_.get(p, make, [](const made_plan& m) { return m.kept; });
}

std::size_t fourier::bytes(const fourier_plan& p) {
    require("fft");
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    return made(p)->work;
}

void fourier::run(const fourier_plan& p, const void* in, void* out, void* work) {
    require("fft");
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    const std::shared_ptr<const made_plan> plan = made(p);
    const library& lib = the_library();
    if (plan->work > 0) check_status(lib.set_work(plan->plan, work), device_, p, "scratch memory for");
    check_status(lib.run(plan->plan, const_cast<void*>(in), out, p.inverse ? inverse : forward), device_, p, "to run");
}

found_library find_cufft() {
    const library& l = the_library();
    return found_in_toolkit("cuFFT", "fft on GPUs", l.why, l.get_property);
}

}  // namespace frit::v0::detail::cuda
