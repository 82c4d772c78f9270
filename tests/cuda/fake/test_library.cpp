// Library calls on the fake driver: what frit asks of cuBLAS, by a cuBLAS that computes by the definition.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <frit/frit.hpp>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "src/graph/node.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;

int (*fake_function(const char* file, const char* symbol))() {
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<int (*)()>(::dlsym(library, symbol)) : nullptr;
}
int (*fake_cublas(const char* symbol))() { return fake_function("libcublas.so.13", symbol); }
int (*fake_cublaslt(const char* symbol))() { return fake_function("libcublasLt.so.13", symbol); }

TEST_F(FakeDriver, ProductsInEveryLayout) {
    check_products<float>(*gpu);
    check_products<double>(*gpu);
    check_products<std::complex<float>>(*gpu);
    check_products<std::complex<double>>(*gpu);
    check_products<frit::half>(*gpu);
    check_products<frit::bfloat16>(*gpu);
}

TEST_F(FakeDriver, BatchesOfProducts) {
    check_batches<float>(*gpu);
    check_batches<double>(*gpu);
    check_batches<std::complex<float>>(*gpu);
    check_batches<std::complex<double>>(*gpu);
    check_batches<frit::half>(*gpu);
    check_batches<frit::bfloat16>(*gpu);
}

// cuBLAS reads and writes them as they lie in memory. What the same statement computes is float32, and stays so.
TEST_F(FakeDriver, AProductOf16BitFloatsIsOneCallWithoutCasts) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const auto check = [&]<class T>(T) {
        const std::vector<T> left{T(1), T(2), T(3), T(4), T(5), T(6)}, right{T(1), T(0), T(-1), T(2), T(0.5), T(3)};
        const frit::array<T> a = frit::from_host(left, {2, 3}), b = frit::from_host(right, {3, 2});
        const auto casts = [](const auto& product) {
            const frit::plan p = frit::make_plan(product);
            EXPECT_EQ(p.library_calls().size(), 1U);
            return p.kernels().size();
        };
        const frit::array<T> c = frit::matmul(a, b);
        EXPECT_EQ(casts(c), 0U);
        EXPECT_EQ(c.to_vector(), (std::vector<T>{T(0.5), T(13), T(2), T(28)}));
        EXPECT_EQ(casts(frit::array<T>(frit::matmul(b.T(), a.T()))), 0U);
        EXPECT_EQ(casts(frit::matmul(frit::any_array(a), frit::any_array(b))), 0U);
        EXPECT_EQ(casts(frit::array<T>(frit::matmul(frit::cast<T>(a + 1), b))), 1U) << "the sum, which is rounded there";
        EXPECT_EQ(casts(frit::array<T>(frit::matmul(a + 1, b))), 3U) << "the sum; the other operand; the result";
    };
    check(frit::half());
    check(frit::bfloat16());
}

TEST_F(FakeDriver, ABatchIsOneCallWithoutCastsOrCopies) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const auto counts = [](const auto& product) {
        const frit::plan p = frit::make_plan(product);
        return std::pair(p.kernels().size(), p.library_calls().size());
    };
    const auto ones = [](const frit::shape& extents) {  // by a copy: the fake driver runs no kernels
        return frit::from_host(std::vector<frit::bfloat16>(static_cast<std::size_t>(extents.size()), frit::bfloat16(1)),
                               extents);
    };
    const auto a = ones({3, 2, 9}), b = ones({3, 5, 9});
    const auto one_call = std::pair<std::size_t, std::size_t>(0, 1);
    EXPECT_EQ(counts(frit::array<frit::bfloat16>(frit::matmul(a, frit::transpose(b, {0, 2, 1})))), one_call);
    EXPECT_EQ(counts(frit::array<frit::bfloat16>(frit::matmul(a, b(0, frit::ellipsis).T()))), one_call);
    EXPECT_EQ(frit::array<frit::bfloat16>(frit::matmul(a, frit::transpose(b, {0, 2, 1}))).to_vector(),
              std::vector<frit::bfloat16>(30, frit::bfloat16(9)));
}

// Whatever is asked for when a product is evaluated, it is computed as its scope said; and the next one, as float32.
TEST_F(FakeDriver, ProductsAreAsExactAsTheScopeThatRecordedThemAsks) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const auto check = [](auto a, auto b, auto rounded, auto exact) {
        using array = frit::array<typename decltype(a)::value_type>;
        array quick, emulated, plain = frit::matmul(a, b), sum;
        {
            const frit::scoped_precision tf32(frit::precision::tf32);
            quick = frit::matmul(a, b);
            {
                const frit::scoped_precision inner(frit::precision::bf16x9);
                emulated = frit::matmul(a, b);
            }
            sum = frit::einsum("ij,jk->ik", a, b);
        }
        array ended, batch, turned;
        {
            const frit::scoped_precision tf32(frit::precision::tf32);
            ended = 2 * frit::matmul(a, b) + a;
            const array both = frit::from_host(std::vector<typename decltype(a)::value_type>(8, a(0, 0).item()), {2, 2, 2});
            batch = frit::matmul(both, b);
            turned = frit::matmul(frit::conj(a).T(), b);
        }
        const array after = frit::matmul(b, a);
        EXPECT_EQ(frit::make_plan(quick, emulated, plain, sum).library_calls().size(), 3U);
        frit::eval(quick, emulated, plain, sum);
        EXPECT_EQ(quick(0, 0).item(), rounded);
        EXPECT_EQ(sum(0, 0).item(), rounded);
        EXPECT_EQ(emulated(0, 0).item(), exact);
        EXPECT_EQ(batch.to_vector().front(), rounded);
        EXPECT_EQ(turned.to_vector().front(), rounded);
        EXPECT_EQ(plain(0, 0).item(), exact);
        EXPECT_EQ(after(0, 0).item(), exact);
        if (frit::is_complex(a.dtype())) return;  // the sum is a kernel there, which the fake driver does not run
        EXPECT_EQ(ended.to_vector().front(), 2.0F * rounded + exact);
    };
    const std::vector<float> a{1 + 0x1p-20F, 0, 0, 1}, b{1, 0, 0, 1};
    check(frit::from_host(a, {2, 2}), frit::from_host(b, {2, 2}), 1.0F, 1 + 0x1p-20F);
    using c64 = std::complex<float>;
    const std::vector<c64> z(a.begin(), a.end()), w(b.begin(), b.end());
    check(frit::from_host(z, {2, 2}), frit::from_host(w, {2, 2}), c64(1), c64(1 + 0x1p-20F));
    const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    const frit::scoped_precision tf32(frit::precision::tf32);
    const frit::array<double> wide = frit::matmul(frit::from_host(x, {2, 2}), frit::from_host(y, {2, 2}));
    EXPECT_EQ(wide.to_vector().front(), 1 + 0x1p-20);
}

TEST_F(FakeDriver, AProductOfComplexNumbersIsOneCall) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    using c64 = std::complex<float>;
    const frit::array<c64> z = frit::from_host(std::vector<c64>{{1, 2}, {0, -1}, {3, 0}, {2, 2}}, {2, 2});
    const frit::array<c64> product = frit::matmul(z, z);
    const frit::plan p = frit::make_plan(product);
    EXPECT_EQ(p.kernels().size(), 0U);
    EXPECT_EQ(p.library_calls().size(), 1U);
    EXPECT_EQ(product.to_vector(), (std::vector<c64>{{-3, 1}, {4, -3}, {9, 12}, {0, 5}}));
}

TEST_F(FakeDriver, ProductsOfOtherDtypesAreRefused) {
    float none = 0;
    const library_call c = product_call(frit::dtype::i32, 1, 1, 1, {}, {});
    EXPECT_EQ(text_of_error<frit::dtype_error>([&] {
                  call_with_workspace(*gpu, c, {&none, &none}, {&none});
              }),
              "cuda:0: cuBLAS does not multiply int32");
}

TEST_F(FakeDriver, WhatCublasRefusesIsAnErrorThatNamesTheProduct) {
    const auto x = gpu->allocate(1000);
    const auto refused = [&](frit::dtype t) {
        const library_call c = product_call(t, 4, 4, 4, {2, false}, {4, false});
        gpu->require(c);
        return text_of_error<frit::device_error>([&] { call_with_workspace(*gpu, c, {x->data, x->data}, {x->data}); });
    };
    EXPECT_EQ(refused(frit::dtype::f64),
              "cuda:0: cuBLAS refuses a product of 4 x 4 and 4 x 4 float64: the fake cuBLAS refuses");
    EXPECT_EQ(refused(frit::dtype::f32),
              "cuda:0: cuBLASLt refuses to plan a product of 4 x 4 and 4 x 4 float32: the fake cuBLASLt refuses");
}

TEST_F(FakeDriver, ABatchIsAsFewCallsOfCublasAsHaveOneDistance) {
    auto* const products = fake_cublas(fake_cublas_products_symbol);
    ASSERT_NE(products, nullptr);
    const auto calls_of = [&](std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
        const int before = products();
        check_batch<double>(*gpu, {3, 4, 2}, false, false, 0, a, b);
        return products() - before;
    };
    EXPECT_EQ(calls_of({6}, {6}), 1);
    EXPECT_EQ(calls_of({6}, {}), 1) << "one taller matrix";
    EXPECT_EQ(calls_of({}, {6}), 1);
    EXPECT_EQ(calls_of({2, 3, 4}, {2, 3, 4}), 1);
    EXPECT_EQ(calls_of({2, 3}, {}), 1);
    EXPECT_EQ(calls_of({2, 1}, {1, 5}), 2);
    EXPECT_EQ(calls_of({5, 1}, {2}), 2);
    EXPECT_EQ(calls_of({2, 3}, {2, 1}), 2);
}

// --- a bias: cuBLASLt ---

TEST_F(FakeDriver, ProductsWithRowsInEveryLayout) { check_products_with_rows(*gpu); }

TEST_F(FakeDriver, ABiasIsOneCallOfCublaslt) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    auto* const products = fake_cublaslt(fake_cublaslt_products_symbol);
    auto* const of_cublas = fake_cublas(fake_cublas_products_symbol);
    ASSERT_TRUE(products && of_cublas);
    const frit::array<float> a = frit::from_host(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}),
                             b = frit::from_host(std::vector<float>{1, 0, -1, 2, 0.5, 3}, {3, 2}),
                             v = frit::from_host(std::vector<float>{100, 200, 300, 400, 500});
    const auto expect = [&](const frit::array<float>& sum, const std::vector<float>& want) {
        const int before = products(), others = of_cublas(), launches = fake().launches;
        EXPECT_EQ(sum.to_vector(), want);
        EXPECT_EQ(products(), before + 1);
        EXPECT_EQ(of_cublas(), others);
        EXPECT_EQ(fake().launches, launches);
    };
    expect(frit::matmul(a, b) + v(frit::slice(0, 2)), {100.5F, 213, 102, 228});
    expect(v(frit::slice(1, 3)) + frit::matmul(b.T(), a.T()), {200.5F, 302, 213, 328});
    // of a batch: many times the same matrix are one product, and one distance between matrices is one call
    frit::array<float> c = frit::from_host(std::vector<float>{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, {2, 2, 3});
    expect(frit::matmul(c, b) + v(frit::slice(0, 2)), {100.5F, 213, 102, 228, 99.5F, 187, 98, 172});
    expect(frit::matmul(frit::transpose(c, {0, 2, 1}), a) + v(frit::slice(0, 3)),
           {117, 222, 327, 122, 229, 336, 127, 236, 345, 83, 178, 273, 78, 171, 264, 73, 164, 255});
}

// And so is a product of float32 without any, for which it knows an algorithm (of 13 and 17 columns the fake one does not).
TEST_F(FakeDriver, AProductOfFloat32IsOneCallOfCublaslt) {
    auto* const products = fake_cublaslt(fake_cublaslt_products_symbol);
    auto* const of_cublas = fake_cublas(fake_cublas_products_symbol);
    ASSERT_TRUE(products && of_cublas);
    const auto calls_of = [&]<class T>(T, std::int64_t m, std::int64_t n) {
        const int before = products(), others = of_cublas();
        check_batch<T>(*gpu, {m, 3, n}, false, true, 0, {}, {});
        return std::pair{products() - before, of_cublas() - others};
    };
    EXPECT_EQ(calls_of(1.0F, 4, 5), (std::pair{1, 0}));
    EXPECT_EQ(calls_of(1.0F, 4, 13), (std::pair{0, 1}));
    EXPECT_EQ(calls_of(1.0F, 4, 17), (std::pair{0, 1}));
    EXPECT_EQ(calls_of(1.0F, 4, 1), (std::pair{0, 1})) << "a vector";
    EXPECT_EQ(calls_of(1.0, 4, 5), (std::pair{0, 1}));
}

TEST_F(FakeDriver, AlgorithmsAreKeptPerProblem) {
    auto* const choices = fake_cublaslt(fake_cublaslt_choices_symbol);
    auto* const descriptions = fake_cublaslt(fake_cublaslt_descriptions_symbol);
    ASSERT_TRUE(choices && descriptions);
    const auto chosen_for = [&](std::int64_t m, std::int64_t n, bool transposed, std::size_t offset) {
        const int before = choices();
        check_product_with_row(*gpu, stored_matrix<float>(m, 3, transposed, 0, 1), stored_matrix<float>(3, n, false, 0, 2),
                               offset);
        return choices() - before;
    };
    EXPECT_EQ(chosen_for(40, 50, false, 0), 1);
    EXPECT_EQ(chosen_for(40, 50, false, 0), 0);
    EXPECT_EQ(chosen_for(40, 50, false, 8), 0) << "aligned as before";
    EXPECT_EQ(chosen_for(40, 50, false, 1), 1) << "aligned to less";
    EXPECT_EQ(chosen_for(40, 50, true, 0), 1);
    EXPECT_EQ(chosen_for(40, 50, false, 0), 0);
    for (std::int64_t n = 100; n < 180; ++n) EXPECT_EQ(chosen_for(2, n, false, 0), 1);
    EXPECT_LE(descriptions(), 4 * 64) << "a bounded number";
    EXPECT_EQ(chosen_for(40, 50, false, 0), 1);
}

TEST_F(FakeDriver, AProductThatCublasltDoesNotKnowIsAnError) {
    auto* const descriptions = fake_cublaslt(fake_cublaslt_descriptions_symbol);
    ASSERT_NE(descriptions, nullptr);
    const library_call c = call_with_row(*gpu, product_call(frit::dtype::f32, 4, 3, 13, {3, false}, {13, false}));
    const auto x = gpu->allocate(1000);
    const int before = descriptions();
    EXPECT_EQ(
        text_of_error<frit::device_error>([&] {
            call_with_workspace(*gpu, c, {x->data, x->data, x->data}, {x->data});
        }),
        "cuda:0: cuBLASLt refuses to plan a product of 4 x 3 and 3 x 13 float32 with a bias: the fake cuBLASLt cannot");
    EXPECT_EQ(descriptions(), before) << "left behind";
}

TEST_F(FakeDriver, CublasThatDoesNotStartLeavesNothingBehind) {
    auto* const handles = fake_cublas(fake_cublas_handles_symbol);
    ASSERT_NE(handles, nullptr);
    frit::detail::backend& other = frit::detail::cuda_backend(1);  // no product has run there
    const library_call c = product_call(frit::dtype::f32, 1, 1, 1, {}, {});
    const int before = handles();
    const std::size_t memory = std::exchange(fake().memory, fake().allocated + (std::size_t{1} << 20));
    for (int k = 0; k < 2; ++k)
        EXPECT_TRUE(contains(text_of_error<frit::out_of_memory>([&] { other.require(c); }), "32.0 MiB asked for"));
    EXPECT_EQ(handles(), before);
    fake().memory = memory;
}

// Behind the test above, after which none has started on that device.
TEST_F(FakeDriver, CublasStartsBesideTheCompiler) {
    auto* const handles = fake_cublas(fake_cublas_handles_symbol);
    auto* const made_aside = fake_cublas(fake_cublas_handles_made_aside_symbol);
    ASSERT_TRUE(handles && made_aside);
    const int before = handles(), before_aside = made_aside();
    fake().memory += std::size_t{32} << 20;  // which stay taken
    const frit::scoped_device there(frit::device::cuda(1));
    const frit::array<float> a = frit::from_host(std::vector<float>(4, 1.F), {2, 2});
    const frit::array<float> y = frit::matmul(a + 1, a);
    const frit::plan p = frit::make_plan(y);
    EXPECT_EQ(p.kernels().size(), 1U);
    EXPECT_EQ(p.library_calls().size(), 1U);
    y.eval();
    EXPECT_EQ(handles(), before + 1);
    EXPECT_EQ(made_aside(), before_aside + 1);
}

// Where no product has been recorded before: ctest runs it in a process of its own.
TEST_F(FakeDriver, CublasStartsWhereAProductIsRecorded) {
    auto* const handles = fake_cublas(fake_cublas_handles_symbol);
    auto* const made_aside = fake_cublas(fake_cublas_handles_made_aside_symbol);
    ASSERT_TRUE(handles && made_aside);
    if (handles() != 0) GTEST_SKIP() << "cuBLAS has started";
    const frit::scoped_device there(frit::device::cuda(0));
    const frit::array<float> a = frit::from_host(std::vector<float>(64, 1.F), {8, 8});
    const frit::array<int> n = frit::from_host(std::vector<int>(4, 1), {2, 2});
    frit::array<float> of_vector = frit::matmul(a, a(0));
    frit::array<int> of_integers = frit::matmul(n, n);
    frit::eval(of_vector, of_integers);
    EXPECT_EQ(handles(), 0) << "these are kernels";

    const frit::array<float> y = frit::matmul(a, a);
    const pid_t child = ::fork();  // which waits until cuBLAS is there, or has not begun
    if (child == 0) {
        const frit::scoped_device here(frit::device::cpu());
        ::_exit(frit::sum(frit::arange<int>(5)).item() == 10 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    for (int k = 0; k < 10000 && handles() == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(handles(), 1);
    EXPECT_EQ(made_aside(), 1);
    y.eval();
    const frit::array<float> z = frit::matmul(a, y);
    z.eval();
    EXPECT_EQ(handles(), 1);
}

TEST_F(FakeDriver, AProgramsEndWaitsForCublasToStart) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a process of its own, from the start
    const auto end_at_once = [] {
        const frit::scoped_device there(frit::device::cuda(0));
        const frit::array<float> a = frit::from_host(std::vector<float>(64, 1.F), {8, 8});
        const frit::array<float> y = frit::matmul(a, a);
        std::exit(y.rank() == 2 ? 0 : 1);
    };
    EXPECT_EXIT(end_at_once(), testing::ExitedWithCode(0), "");
}

// --- scans and sorts: what the plugin is asked for ---

TEST_F(FakeDriver, ScattersGoToThePluginAsTheyAre) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto expect = [&]<class T>(T, const auto& scatter, int operation, char kind) {
        frit::array<T> u = frit::from_host(std::vector<T>(20));
        const frit::array<int> i = frit::from_host(std::vector<int>(7));
        const frit::array<T> v = frit::from_host(std::vector<T>(7));
        const int calls = plugin->calls, launches = fake().launches;
        scatter(u, i, v);
        u.eval();
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(fake().launches, launches);
        EXPECT_EQ(plugin->scatter.operation, operation);
        EXPECT_EQ(plugin->scatter.kind, kind);
        EXPECT_EQ(plugin->scatter.bytes, static_cast<int>(sizeof(T)));
        EXPECT_EQ(plugin->scatter.size, 20);
        EXPECT_EQ(plugin->scatter.count, 7);
        EXPECT_EQ(plugin->scatter.narrow, 1);
        EXPECT_EQ(plugin->scatter.indices, 1);
        EXPECT_NE(plugin->fault, nullptr);
        EXPECT_EQ(plugin->scattered[0], plugin->to[0]);  // in place
        EXPECT_EQ(plugin->scattered[1], frit::detail::as_node(i.handle().get())->data());
    };
    const auto set = [](auto& u, const auto& i, const auto& v) { u(i) = v; };
    const auto add = [](auto& u, const auto& i, const auto& v) { u(i) += v; };
    const auto mul = [](auto& u, const auto& i, const auto& v) { u(i) *= v; };
    expect(float{}, add, FRIT_CUB_SCATTER_ADD, 'f');
    expect(std::int16_t{}, set, FRIT_CUB_SCATTER_SET, 'i');
    expect(std::uint64_t{}, mul, FRIT_CUB_SCATTER_MUL, 'u');
    expect(std::complex<float>{}, add, FRIT_CUB_SCATTER_ADD, 'c');
}

// Computed ones are numbers of elements by then, and checked.
TEST_F(FakeDriver, IndicesThatAScatterChecks) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto expect = [&](const auto& indices, int narrow, int checked) {
        frit::array<float> u = frit::from_host(std::vector<float>(20));
        u(indices) += 1.5F;
        u.eval();
        EXPECT_EQ(plugin->scatter.narrow, narrow);
        EXPECT_EQ(plugin->scatter.indices, checked);
        EXPECT_EQ(plugin->fault != nullptr, checked == 1);
    };
    const frit::array<int> i = frit::from_host(std::vector<int>(14));
    const frit::array<std::int64_t> wide = frit::from_host(std::vector<std::int64_t>(14));
    expect(i, 1, 1);
    expect(i.reshape({2, 7}), 1, 1);
    expect(wide(frit::slice(7, 14)), 0, 1);
    expect(wide(frit::slice(0, 14, 2)), 1, 0);  // not side by side
    expect(i + 1, 1, 0);
    expect(wide + 1, 1, 0);
    expect(frit::cast<std::int16_t>(i).eval(), 1, 0);
}

TEST_F(FakeDriver, AnIndexThatAScatterFindsWrongIsToldAtTheNextSynchronisation) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const frit::array<int> i = frit::from_host(std::vector<int>(7));
    frit::array<float> u = frit::from_host(std::vector<float>(20));
    plugin->faulty_index = -21;
    const int line = __LINE__ + 1;
    u(i) += 1.5F;
    u.eval();
    plugin->faulty_index = 0;
    const std::string text = text_of_error<frit::index_error>([] { frit::synchronize(); });
    EXPECT_EQ(text.rfind("cuda:0: index -21 is out of range for an axis with extent 20, in ", 0), 0U) << text;
    EXPECT_TRUE(contains(text, "scatter_add") && contains(text, "cpp:" + std::to_string(line) + "]")) << text;
    EXPECT_NO_THROW(frit::synchronize());
    EXPECT_EQ(u.to_vector().size(), 20U);
}

TEST_F(FakeDriver, SelectionsGoToThePluginAsTheyAre) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto x = gpu->allocate(1000), ranks = gpu->allocate(1000), y = gpu->allocate(1000), z = gpu->allocate(1000);
    void* const memory[] = {x->data, y->data, z->data};
    const auto expect = [&](const library_call& c, int operation, char kind, int alike) {
        const int calls = plugin->calls;
        std::vector<void*> results;
        int asked = 0;
        for (std::size_t k = 0; k < c.results.size(); ++k) {
            results.push_back(c.results[k].asked ? memory[k] : nullptr);
            asked |= static_cast<int>(c.results[k].asked) << k;
        }
        gpu->require(c);
        EXPECT_EQ(gpu->workspace(c), 16 * 2U);
        call_with_workspace(*gpu, c, {x->data, ranks->data}, results);
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(plugin->select.operation, operation);
        EXPECT_EQ(plugin->select.kind, kind);
        EXPECT_EQ(plugin->select.bytes, static_cast<int>(frit::size_of(c.operands[0].type)));
        EXPECT_EQ(plugin->select.rows, 3);
        EXPECT_EQ(plugin->select.length, 7);
        EXPECT_EQ(plugin->select.count, 2);
        EXPECT_EQ(plugin->select.alike, alike);
        EXPECT_EQ(plugin->select.results, asked);
        EXPECT_EQ(plugin->from, x->data);
        EXPECT_EQ(plugin->ranks, operation == FRIT_CUB_LARGEST ? nullptr : ranks->data);
        for (std::size_t k = 0; k < results.size(); ++k) EXPECT_EQ(plugin->selected[k], results[k]);
    };
    using enum frit::op;
    using enum frit::dtype;
    expect(selection_call(at_ranks, f32, 3, 7, 2), FRIT_CUB_SELECT, 'f', 1);
    expect(selection_call(at_ranks, bf16, 3, 7, 2, false), FRIT_CUB_SELECT, 'h', 0);
    expect(selection_call(partitioned, c128, 3, 7, 2), FRIT_CUB_SELECT, 'c', 1);
    expect(selection_call(partitioned_places, u16, 3, 7, 2), FRIT_CUB_SELECT, 'u', 1);
    expect(selection_call(partitioned, i8, 3, 7, 2, true, {partitioned_places}), FRIT_CUB_SELECT, 'i', 1);
    expect(selection_call(largest, f16, 3, 7, 2), FRIT_CUB_LARGEST, 'f', 1);
    expect(selection_call(largest, f64, 3, 7, 2, true, {largest_places}), FRIT_CUB_LARGEST, 'f', 1);
    expect(selection_call(largest_places, bool_, 3, 7, 2), FRIT_CUB_LARGEST, 'b', 1);
}

TEST_F(FakeDriver, WhatAMaskPicksGoesToThePluginByItsBytes) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto x = gpu->allocate(1000), mask = gpu->allocate(50), y = gpu->allocate(1000), scratch = gpu->allocate(101);
    const void* operands[] = {x->data, mask->data, mask->data};
    void* const results[] = {y->data};
    const frit::dtype types[] = {
#define FRIT_X(name, T) frit::dtype::name,
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    };
    for (const frit::dtype type : types) {
        const int calls = plugin->calls;
        const library_call c = compress_call(type, 50, 20);
        gpu->require(c);
        EXPECT_EQ(gpu->workspace(c), 2 * 50 + 1U);
        gpu->call(c, {operands, results, scratch->data});
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(plugin->compress.bytes, static_cast<int>(frit::size_of(type)));
        EXPECT_EQ(plugin->compress.length, 50);
        EXPECT_EQ(plugin->compress.count, 20);
        EXPECT_EQ(plugin->mask, mask->data);
        EXPECT_EQ(plugin->from, x->data);
        EXPECT_EQ(plugin->to[0], y->data);
        EXPECT_EQ(plugin->workspace, scratch->data);
        EXPECT_NE(plugin->stream, nullptr);
    }
    plugin->refuse = true;
    EXPECT_EQ(
        text_of_error<frit::device_error>([&] {
            call_with_workspace(*gpu, compress_call(frit::dtype::c64, 50, 20), {x->data, mask->data, mask->data}, {y->data});
        }),
        "cuda:0: compressed of 1 rows of 50 complex64: the fake plugin refuses");
    plugin->refuse = false;
}

TEST_F(FakeDriver, ScansAndSortsGoToThePluginAsTheyAre) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto x = gpu->allocate(10'000), y = gpu->allocate(10'000), z = gpu->allocate(10'000), scratch = gpu->allocate(64);
    const void* operands[] = {x->data};
    void* const memory[] = {y->data, z->data};
    const auto expect = [&](frit::op code, frit::dtype type, int operation, char kind, int bytes,
                            std::vector<frit::op> also = {}) {
        const int calls = plugin->calls;
        const library_call c = row_call(code, type, 3, 7, std::move(also));
        std::vector<void*> results;
        int asked = 0;
        for (std::size_t k = 0; k < c.results.size(); ++k) {
            results.push_back(c.results[k].asked ? memory[k] : nullptr);
            asked |= static_cast<int>(c.results[k].asked) << k;
        }
        gpu->require(c);
        EXPECT_EQ(gpu->workspace(c), 3 * 7 * 3 + 1U);
        gpu->call(c, {operands, results, scratch->data});
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(plugin->call.operation, operation);
        EXPECT_EQ(plugin->call.kind, kind);
        EXPECT_EQ(plugin->call.bytes, bytes);
        EXPECT_EQ(plugin->call.rows, 3);
        EXPECT_EQ(plugin->call.length, 7);
        EXPECT_EQ(plugin->from, x->data);
        EXPECT_EQ(plugin->call.results, asked);
        for (std::size_t k = 0; k < results.size(); ++k) EXPECT_EQ(plugin->to[k], results[k]);
        EXPECT_NE(plugin->stream, nullptr);
        EXPECT_EQ(plugin->workspace, scratch->data);
    };
    using enum frit::op;
    using enum frit::dtype;
    expect(cumsum, i64, FRIT_CUB_CUMSUM, 'i', 8);
    expect(cumprod, f32, FRIT_CUB_CUMPROD, 'f', 4);
    expect(cummax, u64, FRIT_CUB_CUMMAX, 'u', 8);
    expect(cummax, i16, FRIT_CUB_CUMMAX, 'i', 2);
    expect(cummin, bool_, FRIT_CUB_CUMMIN, 'b', 1);
    expect(cummin, f64, FRIT_CUB_CUMMIN, 'f', 8);
    expect(sort, bool_, FRIT_CUB_SORT, 'b', 1);
    expect(sort, i16, FRIT_CUB_SORT, 'i', 2);
    expect(argsort, u32, FRIT_CUB_SORT, 'u', 4);
    expect(argsort, f64, FRIT_CUB_SORT, 'f', 8, {sort});
    expect(sort, f16, FRIT_CUB_SORT, 'f', 2);
    expect(argsort, bf16, FRIT_CUB_SORT, 'h', 2);
    expect(sort, c128, FRIT_CUB_SORT, 'c', 16);
    expect(cumsum, c128, FRIT_CUB_CUMSUM, 'c', 16);
    expect(cumprod, c64, FRIT_CUB_CUMPROD, 'c', 8);
    expect(true_places, bool_, FRIT_CUB_PLACES, 'b', 1, {true_count});

    plugin->refuse = true;
    const library_call c = row_call(sort, f32, 3, 7);
    EXPECT_EQ(text_of_error<frit::device_error>([&] {
                  call_with_workspace(*gpu, c, {x->data}, {y->data, nullptr});
              }),
              "cuda:0: sort of 3 rows of 7 float32: the fake plugin refuses");
    plugin->refuse = false;
}

}  // namespace
