// DLPack without Python: what a tensor says, whose memory it is, and when its deleter runs. Where cuda:0 is the stand-in,
// the same on "device memory".
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <frit/dlpack.hpp>
#include <frit/frit.hpp>

#include "src/graph/node.hpp"
#include "src/io/dlpack_layout.hpp"

namespace {

using frit::array;
using frit::slice;
using versioned = DLManagedTensorVersioned;

/// Device memory that a test can write to: the host's, or the stand-in's.
frit::device device_under_test() {
    const bool stand_in =
        frit::default_device().is_cuda() && frit::default_device().description().find("stand-in") != std::string::npos;
    return stand_in ? frit::default_device() : frit::device::cpu();
}

/// A tensor of another library's: the test owns it and counts how often its deleter is called.
template <class Tensor, class T>
struct foreign {
    std::vector<std::int64_t> extents, strides;
    Tensor tensor{};
    std::atomic<int> deleted{0};

    foreign(T* data, std::vector<std::int64_t> e, std::vector<std::int64_t> s)
        : extents(std::move(e)), strides(std::move(s)) {
        if constexpr (std::is_same_v<Tensor, versioned>) tensor.version = {1, 0};
        const auto kind = frit::kind_of(frit::dtype_of<T>);
        const DLDataTypeCode code = kind == frit::dtype_kind::boolean            ? kDLBool
                                    : kind == frit::dtype_kind::integer          ? kDLInt
                                    : kind == frit::dtype_kind::unsigned_integer ? kDLUInt
                                    : kind == frit::dtype_kind::complex          ? kDLComplex
                                    : frit::dtype_of<T> == frit::dtype::bf16     ? kDLBfloat
                                                                                 : kDLFloat;
        const bool gpu = device_under_test().is_cuda();
        tensor.dl_tensor = {data,
                            {gpu ? kDLCUDA : kDLCPU, 0},
                            static_cast<std::int32_t>(extents.size()),
                            {code, 8 * sizeof(T), 1},
                            extents.data(),
                            strides.empty() ? nullptr : strides.data(),
                            0};
        tensor.manager_ctx = this;
        tensor.deleter = [](Tensor* t) { ++static_cast<foreign*>(t->manager_ctx)->deleted; };
    }
};

class Dlpack : public testing::Test {
    frit::scoped_device here_{device_under_test()};
};

TEST_F(Dlpack, AnExportSaysWhatTheArrayIs) {
    const array<float> x{{1, 2, 3}, {4, 5, 6}};
    versioned* t = frit::to_dlpack(x);
    EXPECT_EQ(t->version.major, 1U);
    EXPECT_EQ(t->flags, dlpack_flag_read_only);
    const DLTensor& d = t->dl_tensor;
    EXPECT_EQ(d.device.device_type, frit::default_device().is_cuda() ? kDLCUDA : kDLCPU);
    EXPECT_EQ(d.device.device_id, 0);
    ASSERT_EQ(d.ndim, 2);
    EXPECT_EQ(d.dtype.code, kDLFloat);
    EXPECT_EQ(d.dtype.bits, 32);
    EXPECT_EQ(d.dtype.lanes, 1);
    EXPECT_EQ(std::vector<std::int64_t>(d.shape, d.shape + 2), (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(std::vector<std::int64_t>(d.strides, d.strides + 2), (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(d.byte_offset, 0U);
    EXPECT_EQ(static_cast<const float*>(d.data)[5], 6);
    t->deleter(t);
}

TEST_F(Dlpack, TheOlderFormTooAndNoCopy) {
    const array<std::int64_t> x{1, 2};
    DLManagedTensor* old = frit::to_dlpack<DLManagedTensor>(x);
    versioned* t = frit::to_dlpack(x);
    EXPECT_EQ(old->dl_tensor.data, t->dl_tensor.data);
    EXPECT_EQ(old->dl_tensor.dtype.code, kDLInt);
    EXPECT_EQ(old->dl_tensor.dtype.bits, 64);
    const array<std::int64_t> same = frit::from_dlpack<std::int64_t>(t), again = frit::from_dlpack<std::int64_t>(old);
    versioned* back = frit::to_dlpack(same);
    EXPECT_EQ(back->dl_tensor.data, frit::detail::as_node(x.handle().get())->data());
    back->deleter(back);
    EXPECT_EQ(again.to_vector(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(Dlpack, AnExportEvaluatesFormulasAndOutlivesItsArray) {
    versioned* t;
    {
        array<double> x = frit::arange<double>(0, 5) * 2.0;
        t = frit::to_dlpack(x);
        const frit::detail::buffer& memory = *frit::detail::as_node(x.handle().get())->memory.get();
        EXPECT_EQ(memory.exports, 1U);
        DLManagedTensor* second = frit::to_dlpack<DLManagedTensor>(x);
        EXPECT_EQ(memory.exports, 2U);
        second->deleter(second);
        EXPECT_EQ(memory.exports, 1U);
        x += 1.0;
        x(slice(0, 2)) = -7.0;
        x.eval();
        x = {};
    }
    const array<double> taken_by_others = frit::zeros<double>({5}) + 9.0;  // would get the memory if it were free
    taken_by_others.eval();
    const double* data = static_cast<const double*>(t->dl_tensor.data);
    for (int k = 0; k < 5; ++k) EXPECT_EQ(data[k], 2.0 * k);
    t->deleter(t);
    versioned* of_a_recipe = frit::to_dlpack(taken_by_others + 1.0);
    EXPECT_EQ(static_cast<const double*>(of_a_recipe->dl_tensor.data)[4], 10.0);
    of_a_recipe->deleter(of_a_recipe);
}

TEST_F(Dlpack, ExportsGiveTheirMemoryBack) {
    frit::synchronize();
    const auto before = frit::stats().live_bytes;
    versioned* t = frit::to_dlpack(frit::ones<float>({1000}) * 2.0F);
    EXPECT_GE(frit::stats().live_bytes, before + 4000);
    std::thread([t] { t->deleter(t); }).join();
    EXPECT_EQ(frit::stats().live_bytes, before);
}

TEST_F(Dlpack, RankZeroAndNoElements) {
    versioned* one = frit::to_dlpack(frit::scalar(2.5F));
    EXPECT_EQ(one->dl_tensor.ndim, 0);
    EXPECT_EQ(frit::from_dlpack<float>(one).item(), 2.5F);
    versioned* none = frit::to_dlpack(frit::zeros<float>({0, 3}));
    EXPECT_EQ(none->dl_tensor.data, nullptr);
    const array<float> back = frit::from_dlpack<float>(none);
    EXPECT_EQ(back.shape(), (frit::shape{0, 3}));
    EXPECT_EQ(frit::sum(back).item(), 0);
}

TEST_F(Dlpack, AnImportReadsInPlaceWithAnyStrides) {
    float data[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    foreign<versioned, float> columns(data, {3, 4}, {1, 3}), backwards(data + 11, {4}, {-2}),
        broadcast(data + 5, {2, 3}, {0, 0});
    foreign<DLManagedTensor, float> dense(data, {2, 2}, {});
    dense.tensor.dl_tensor.byte_offset = 2 * sizeof(float);
    {
        const array<float> x = frit::from_dlpack<float>(&columns.tensor), y = frit::from_dlpack<float>(&backwards.tensor);
        const array<float> z = frit::from_dlpack<float>(&broadcast.tensor), w = frit::from_dlpack<float>(&dense.tensor);
        EXPECT_EQ(x.device(), frit::default_device());
        EXPECT_EQ(x.strides(), (std::vector<std::int64_t>{1, 3}));
        EXPECT_EQ(x.to_vector(), (std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
        EXPECT_EQ((y * 2.0F).to_vector(), (std::vector<float>{22, 18, 14, 10}));
        EXPECT_EQ(frit::sum(z).item(), 30);
        EXPECT_EQ(w.to_vector(), (std::vector<float>{2, 3, 4, 5}));
        data[0] = 100;  // no copy was made (frit's user has to keep from this)
        EXPECT_EQ((x(0, 0) + 0.0F).item(), 100);
        EXPECT_EQ(x.to(frit::device::cpu()).to_vector()[0], 100);
        versioned* again = frit::to_dlpack(x);
        EXPECT_EQ(again->dl_tensor.data, data);
        EXPECT_EQ(again->dl_tensor.strides[1], 3);
        again->deleter(again);
        EXPECT_EQ(columns.deleted, 0);
    }
    EXPECT_EQ(columns.deleted, 1);
    EXPECT_EQ(backwards.deleted, 1);
    EXPECT_EQ(broadcast.deleted, 1);
    EXPECT_EQ(dense.deleted, 1);
}

TEST_F(Dlpack, NoUploadAndNoDownload) {
    float data[] = {1, 2, 3};
    foreign<versioned, float> lent(data, {3}, {1});
    frit::reset_stats();
    array<float> y = frit::from_dlpack<float>(&lent.tensor) * 2.0F;
    versioned* t = frit::to_dlpack(y);
    EXPECT_EQ(frit::stats().host_to_device_bytes, 0U);
    EXPECT_EQ(frit::stats().device_to_host_bytes, 0U);
    EXPECT_EQ(frit::stats().kernels_launched, 1U);
    EXPECT_EQ(static_cast<float*>(t->dl_tensor.data)[2], 6);
    t->deleter(t);
}

TEST_F(Dlpack, TheDeleterRunsOnceWhenNobodyLooksAnyMore) {
    int data[] = {1, 2, 3};
    foreign<versioned, int> lent(data, {3}, {1});
    array<int> x = frit::from_dlpack<int>(&lent.tensor);
    array<int> sum = x + 1;  // pending: needs the memory
    array<int> copy = x;
    versioned* exported = frit::to_dlpack(x);
    x = {};
    copy = {};
    EXPECT_EQ(lent.deleted, 0);
    EXPECT_EQ(sum.to_vector(), (std::vector<int>{2, 3, 4}));
    EXPECT_EQ(lent.deleted, 0);  // the export looks
    std::thread([exported] { exported->deleter(exported); }).join();
    EXPECT_EQ(lent.deleted, 1);
    EXPECT_EQ(data[0], 1);
}

TEST_F(Dlpack, BorrowedMemoryIsNeverWritten) {
    float data[] = {1, 2, 3, 4};
    foreign<versioned, float> lent(data, {4}, {1});  // not even marked read-only
    array<float> x = frit::from_dlpack<float>(&lent.tensor);
    x(slice(0, 2)) = 9.0F;
    x *= 2.0F;
    EXPECT_EQ(x.to_vector(), (std::vector<float>{18, 18, 6, 8}));
    EXPECT_EQ(std::vector<float>(data, data + 4), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(lent.deleted, 1);
}

TEST_F(Dlpack, ATensorWithoutADeleter) {
    double data[] = {1, 2};
    foreign<DLManagedTensor, double> lent(data, {2}, {1});
    lent.tensor.deleter = nullptr;
    EXPECT_EQ(frit::sum(frit::from_dlpack<double>(&lent.tensor)).item(), 3);
}

template <class T>
class DlpackDtypes : public testing::Test {
    frit::scoped_device here_{device_under_test()};
};
#define FRIT_X(name, T) , T
template <class, class... T>
using types_of = testing::Types<T...>;
using array_types = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(DlpackDtypes, array_types);

TYPED_TEST(DlpackDtypes, RoundTrip) {
    using T = TypeParam;
    TypeParam data[] = {T(0), T(1), T(1)};
    foreign<versioned, T> lent(data, {3}, {1});
    EXPECT_EQ(frit::dlpack_dtype(lent.tensor), frit::dtype_of<T>);
    const array<T> x = frit::from_dlpack<T>(&lent.tensor);
    EXPECT_TRUE(frit::array_equal(x, array<T>{T(0), T(1), T(1)}));
    DLManagedTensor* t = frit::to_dlpack<DLManagedTensor>(x);
    EXPECT_EQ(std::memcmp(&t->dl_tensor.dtype, &lent.tensor.dl_tensor.dtype, sizeof(DLDataType)), 0);
    EXPECT_EQ(frit::dlpack_dtype(*t), frit::dtype_of<T>);
    t->deleter(t);
}

/// What importing throws; the tensor stays the caller's.
template <class E, class T = float, class F>
std::string refusal(F change) {
    alignas(8) static float data[4] = {};
    foreign<versioned, float> lent(data, {2}, {1});
    change(lent.tensor);
    try {
        frit::from_dlpack<T>(&lent.tensor, {"here.cpp", 7});
        ADD_FAILURE() << "accepted";
    } catch (const E& e) {
        EXPECT_EQ(lent.deleted, 0);
        return e.what();
    }
    return "";
}

TEST_F(Dlpack, WhatCannotBeTakenIsAnError) {
    EXPECT_EQ(
        refusal<frit::device_error>([](versioned& t) { t.dl_tensor.device.device_type = DLDeviceType(10); }),
        "from_dlpack: the memory is on a device that frit has no access to (ROCm): copy it to the host or a CUDA device "
        "first [here.cpp:7]");
    EXPECT_NE(refusal<frit::device_error>([](versioned& t) {
                  t.dl_tensor.device.device_type = DLDeviceType(99);
              }).find("of type 99"),
              std::string::npos);
    EXPECT_EQ((refusal<frit::dtype_error, double>([](versioned&) {})),
              "from_dlpack: the tensor's elements are not what was asked for; float32, float64 [here.cpp:7]");
    EXPECT_EQ(refusal<frit::dtype_error>([](versioned& t) { t.dl_tensor.dtype.lanes = 4; }),
              "from_dlpack: no dtype of frit's has DLPack's type code 2 with 32 bits and 4 lanes [here.cpp:7]");
    EXPECT_EQ(refusal<frit::error>([](versioned& t) {
                  t.version = {2, 1};
              }),
              "from_dlpack: the tensor has DLPack version 2.1, frit reads version 1 [here.cpp:7]");
    EXPECT_EQ(refusal<frit::error>([](versioned& t) { t.dl_tensor.byte_offset = 2; }),
              "from_dlpack: the data is not aligned to its elements (float32) [here.cpp:7]");
    EXPECT_EQ(refusal<frit::error>([](versioned& t) { t.dl_tensor.data = nullptr; }),
              "from_dlpack: the tensor has elements and no data [here.cpp:7]");
    EXPECT_EQ(refusal<frit::error>([](versioned& t) { t.dl_tensor.ndim = -1; }),
              "from_dlpack: a tensor of rank -1 [here.cpp:7]");
    EXPECT_THROW(frit::from_dlpack<float>(static_cast<versioned*>(nullptr)), frit::error);
    const array<float> empty;
    EXPECT_THROW(frit::to_dlpack(empty), frit::error);
}

TEST_F(Dlpack, TensorsThatCannotBe) {
    const auto says = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("[here.cpp:7]"), std::string::npos) << text;
    };
    const auto refuses = [&](auto kind, const char* part, auto change) {
        says(refusal<typename decltype(kind)::type>(change), part);
    };
    const std::type_identity<frit::shape_error> shape_error;
    const std::type_identity<frit::device_error> device_error;
    const std::type_identity<frit::error> error;
    refuses(shape_error, "-2", [](versioned& t) { t.dl_tensor.shape[0] = -2; });
    refuses(shape_error, "has axes and no shape", [](versioned& t) { t.dl_tensor.shape = nullptr; });
    refuses(shape_error, "17 dimensions", [](versioned& t) {
        static std::int64_t ones[17] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        t.dl_tensor.ndim = 17;
        t.dl_tensor.shape = t.dl_tensor.strides = ones;
    });
    refuses(shape_error, "more elements than memory can address",
            [](versioned& t) { t.dl_tensor.shape[0] = std::int64_t{1} << 62; });
    for (const std::int64_t stride : {INT64_MAX, INT64_MIN, INT64_MAX / 4, -(std::int64_t{1} << 60)})
        refuses(shape_error, "address space", [&](versioned& t) { t.dl_tensor.strides[0] = stride; });
    refuses(error, "address space", [](versioned& t) { t.dl_tensor.byte_offset = UINT64_MAX - 3; });
    refuses(device_error, "-7", [](versioned& t) { t.dl_tensor.device = {kDLCUDA, -7}; });
    refuses(device_error, "-1", [](versioned& t) { t.dl_tensor.device = {kDLCUDAManaged, -1}; });
    float data[] = {1, 2};
    foreign<versioned, float> nothing(nullptr, {0, 3}, {INT64_MAX, INT64_MIN});  // strides of no element mean nothing
    foreign<versioned, float> few(data, {1, 2}, {INT64_MIN, 1}), scalar(data, {}, {});
    scalar.tensor.dl_tensor.shape = nullptr;
    EXPECT_EQ(frit::sum(frit::from_dlpack<float>(&nothing.tensor) + 1.0F).item(), 0);
    EXPECT_EQ(frit::sum(frit::flip(frit::from_dlpack<float>(&few.tensor))).item(), 3);
    EXPECT_EQ(frit::from_dlpack<float>(&scalar.tensor).item(), 1);
    EXPECT_EQ(nothing.deleted + few.deleted + scalar.deleted, 3);
}

/// What a plan returns as it came, strides and all, would be read as row-major.
TEST_F(Dlpack, AnUpdateOfNothingOverStridesIsRowMajor) {
    float data[] = {0, 1, 2, 3, 4, 5, 6, 7};
    foreign<versioned, float> columns(data + 1, {3, 2}, {1, 3}), backwards(data + 7, {4}, {-2});
    array<float> u = frit::from_dlpack<float>(&columns.tensor), v = frit::from_dlpack<float>(&backwards.tensor);
    u(slice(0, 0)) += 1.0F;
    v(slice(2, 2)) = 9.0F;
    frit::eval(u, v);
    EXPECT_EQ(u.strides(), (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(u.to_vector(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(v.to_vector(), (std::vector<float>{7, 5, 3, 1}));
}

TEST_F(Dlpack, ManyThreads) {
    const array<float> x = frit::arange<float>(0, 1000);
    x.eval();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            const frit::scoped_device here(x.device());
            for (int k = 0; k < 50; ++k) {
                const array<float> y = frit::from_dlpack<float>(frit::to_dlpack(x));
                wrong += frit::sum(y * 1.0F).item() != 499500.0F;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(frit::detail::as_node(x.handle().get())->memory->exports, 0U);
}

}  // namespace
