// What crosses frit's border: values in and out, borrowed memory, the caller's memory, printing, .npy, DLPack, files.
#include <filesystem>
#include <memory>
#include <sstream>

#include <frit/dlpack.hpp>

#include "src/io/dlpack_layout.hpp"
#include "tests/allocation/program.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::slice;
using floats = std::vector<float>;

/// An owner that is counted: made here, given back once.
std::shared_ptr<const floats> lent(floats values) {
    ++lending::lent;
    return {new floats(std::move(values)), [](const floats* v) {
                ++lending::returned;
                delete v;
            }};
}

void borrowing(ledger& l) {
    {
        auto owner = lent({1, 2, 3, 4, 5, 6});
        const float* const data = owner->data();
        const array<float> x = frit_call([&] { return frit::borrow(data, frit::shape{2, 3}, std::move(owner)); });
        const array<float> y = frit_call([&] { return x * 2.0F; });
        l.note(frit_call([&] { return y.to_vector(); }));
    }
    {
        const auto owner = lent({1, 2, 3, 4, 5, 6});
        const array<float> t = frit_call([&] { return frit::borrow(owner->data(), frit::shape{3, 2}, owner, {1, 3}); });
        l.note(frit_call([&] { return t.to_vector(); }));
        l.note(frit_call([&] { return (t + 1.0F).to_vector(); }));
    }
    floats moved = {7, 8, 9};
    const array<float> m = frit_call([&] { return frit::borrow(std::move(moved)); });
    l.note(frit_call([&] { return frit::cumsum(m).to_vector(); }));
}

void values(ledger& l) {
    const array<int> a = frit_call([] { return array<int>{{1, 2, 3}, {4, 5, 6}}; });
    const array<bool> b = frit_call([&] { return a > 2; });
    l.note(frit_call([&] { return b.to_vector(); }));
    std::vector<int> to(6);
    frit_call([&] { a.copy_to(to); });
    l.note(to);
    l.note(frit_call([&] { return array<int>(a.T()).strides(); }));
    const array<float> e = frit_call([] { return frit::eye<float>(4); });
    const auto kept = frit_call([&] { return (e * 2.0F).span(); });
    l.note(floats(kept.begin(), kept.end()));
    l.note(std::to_string(frit_call([&] { return frit::array_equal(e, e * 1.0F); })));
}

void callers_memory(ledger& l) {
    const array<double> x = frit_call([] { return frit::linspace(0.0, 1.0, 12); });
    std::vector<double> to(24, -1);
    frit_call([&] { frit::eval_into(frit::out(to.data(), frit::shape{12}, {2}), x * 3.0); });
    l.note(to);
    frit_call([&] { frit::eval_into(frit::out(to.data(), frit::shape{12}), exp(x)); });
    frit_call([&] { frit::eval_into(frit::out(to.data(), frit::shape{2, 12}), x + 1.0); });
    l.note(to);
}

void printing(ledger& l) {
    const array<float> x = frit_call([] { return frit::linspace(-1.0F, 1.0F, 2000).reshape({40, 50}); });
    l.note(frit_call([&] { return frit::to_string(x); }));
    l.note(frit_call([&] { return frit::to_string(frit::sum(x)); }));
    const std::string nan = "this is not a number, and longer than a short string";
    const frit::printoptions changes{.precision = 2, .edgeitems = 1, .nanstr = nan};
    l.note(frit_call([&] {
        const frit::scoped_printoptions few(changes);
        return frit::to_string(x * 100.0F);
    }));
    const frit::shape extents = frit_call([&] { return x.shape(); });
    l.note(frit_call([&] { return frit::to_string(extents); }));
    std::ostringstream to;
    try {
        to.exceptions(std::ios::badbit);
        frit_call([&] { to << x(0, slice(0, 3)); });
    } catch (const std::bad_alloc&) {  // of the stream, which is the user's
        throw frit::out_of_memory("the stream");
    }
    l.note(to.str());
}

/// A file's name, and its end.
struct file_for_a_while {
    const std::string name;
    explicit file_for_a_while(const char* n) : name(std::string(std::getenv("TMPDIR")) + n) {}
    file_for_a_while(const file_for_a_while&) = delete;
    file_for_a_while& operator=(const file_for_a_while&) = delete;
    ~file_for_a_while() {
        std::error_code gone;
        std::filesystem::remove(name, gone);
    }
};

void npy(ledger& l) {
    const array<float> x = frit_call([] { return frit::linspace(0.0F, 1.0F, 100).reshape({10, 10}); });
    const file_for_a_while file("/values.npy");
    frit_call([&] { frit::save_npy(file.name, x * 2.0F); });
    const array<double> y = frit_call([&] { return frit::load_npy<double>(file.name); });
    l.note(frit_call([&] { return y.to_vector(); }));
    std::stringstream both(std::string(100'000, ' '));
    frit_call([&] { frit::save_npy(both, x.T()); });
    both.seekg(0);
    l.note(frit_call([&] { return frit::load_npy<float>(both).to_vector(); }));
}

/// Another library's tensor.
struct foreign_tensor {
    floats values{1, 2, 3, 4};
    std::int64_t extents[2]{2, 2}, strides[2]{1, 2};
    DLManagedTensorVersioned tensor{};
    foreign_tensor() {
        ++lending::lent;
        tensor.version = {dlpack_major_version, dlpack_minor_version};
        tensor.manager_ctx = this;
        tensor.deleter = [](DLManagedTensorVersioned* t) {
            ++lending::returned;
            delete static_cast<foreign_tensor*>(t->manager_ctx);
        };
        tensor.dl_tensor = {values.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, extents, strides, 0};
    }
};

void dlpack(ledger& l) {
    const array<float> x = frit_call([] { return frit::linspace(0.0F, 1.0F, 6); });
    DLManagedTensorVersioned* const out = frit_call([&] { return frit::to_dlpack(x + 1.0F); });
    struct given_back {
        DLManagedTensorVersioned* t;
        ~given_back() { t->deleter(t); }
    } const later{out};
    l.note(floats(static_cast<float*>(out->dl_tensor.data), static_cast<float*>(out->dl_tensor.data) + 6));
    DLManagedTensorVersioned* const in = &(new foreign_tensor)->tensor;
    array<float> y;
    try {
        y = frit_call([&] { return frit::from_dlpack<float>(in); });
    } catch (const frit::error&) {  // it is still the caller's
        in->deleter(in);
        throw;
    }
    l.note(frit_call([&] { return (y + 1.0F).to_vector(); }));
    l.note(frit_call([&] { return y.to_vector(); }));
}

void reports(ledger& l) {
    const array<float> x = frit_call([] { return frit::ones<float>({8}); });
    const file_for_a_while file("/plan.dot");
    frit_call([&] { frit::make_plan(x * 2.0F + 1.0F).save(file.name); });
    l.note(frit_call([] { return frit::default_device().description(); }));
    const frit::device d = frit_call([] { return frit::device::parse("cpu"); });
    const array<float> there = frit_call([&] { return x.to(d); });
    frit_call([] { frit::synchronize(); });
    l.note(frit_call([&] { return (there + 1.0F).to_vector(); }));
}

}  // namespace

std::vector<step> outside_steps() {
    return {{"borrowing", borrowing}, {"values", values}, {"the caller's memory", callers_memory},
            {"printing", printing},   {"npy", npy},       {"dlpack", dlpack},
            {"reports", reports}};
}

}  // namespace frit_test
