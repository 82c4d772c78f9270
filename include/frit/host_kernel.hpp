// A program's own C++ function of arrays in the host's memory as a part of the graph: it runs when its results are wanted,
// in the order of the formulas around it.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "frit/detail/kernel_arguments.hpp"

namespace frit::inline v0 {

/// An array as a host_kernel's function may take it: its elements, row-major, and its shape. Of const T it is read alone.
template <class T>
class host_span : public std::span<T> {
public:
    /// @cond
    host_span(T* data, const frit::shape& extents) noexcept
        : std::span<T>(data, static_cast<std::size_t>(extents.size())), extents_(&extents) {}
    /// @endcond
    /// The array's.
    const frit::shape& shape() const noexcept { return *extents_; }
    /// An element by its indices, as many as the array has axes, which are not checked.
    template <std::convertible_to<std::int64_t>... I>
    T& operator()(I... indices) const noexcept {
        std::int64_t at = 0;
        int axis = 0;
        ((at = at * extents_->begin()[axis++] + static_cast<std::int64_t>(indices)), ...);
        return (*this)[static_cast<std::size_t>(at)];
    }

private:
    const frit::shape* extents_;
};

/// @cond
namespace detail {

enum class host_role : std::uint8_t { in, inout, number };

/// A parameter of a host kernel's function.
struct host_parameter {
    host_role role;
    dtype type;
};

/// What a function is called with: arrays and numbers in the order of the parameters of their kind.
struct host_call {
    void* const* arrays;
    const shape* const* extents;
    const std::uint64_t* numbers;
};

/// A host kernel, whatever its function's type.
struct FRIT_API host_function {
    host_function(std::string_view called, std::span<const host_parameter> of, source_line made)
        : name(called), parameters(of), where(made) {}
    host_function(const host_function&) = delete;
    virtual ~host_function();
    virtual void run(const host_call&) const = 0;
    mutable std::atomic<std::uint32_t> references{1};
    const std::string name;
    const std::span<const host_parameter> parameters;
    const source_line where;
};

/// How a parameter is read from a call. No other types than those below.
template <class P>
struct host_argument {
    static constexpr host_parameter is{host_role::number, dtype::f32};
    static P of(const host_call&, std::size_t) {
        static_assert(
            !std::is_same_v<P, P>,
            "frit: a parameter of a host_kernel's function is a std::span or frit::host_span of elements, or a "
            "number of C++; give it a half or a complex number as an array, and let the lambda capture anything else");
    }
};
template <element T>
struct host_argument<std::span<T>> {
    static constexpr host_parameter is{host_role::inout, dtype_of<T>};
    static std::span<T> of(const host_call& c, std::size_t k) {
        return {static_cast<T*>(c.arrays[k]), static_cast<std::size_t>(c.extents[k]->size())};
    }
};
template <element T>
struct host_argument<std::span<const T>> {
    static constexpr host_parameter is{host_role::in, dtype_of<T>};
    static std::span<const T> of(const host_call& c, std::size_t k) { return host_argument<std::span<T>>::of(c, k); }
};
template <element T>
struct host_argument<host_span<T>> {
    static constexpr host_parameter is{host_role::inout, dtype_of<T>};
    static host_span<T> of(const host_call& c, std::size_t k) { return {static_cast<T*>(c.arrays[k]), *c.extents[k]}; }
};
template <element T>
struct host_argument<host_span<const T>> {
    static constexpr host_parameter is{host_role::in, dtype_of<T>};
    static host_span<const T> of(const host_call& c, std::size_t k) {
        return {static_cast<const T*>(c.arrays[k]), *c.extents[k]};
    }
};
template <element T>
requires(std::is_arithmetic_v<T>) struct host_argument<T> {
    static constexpr host_parameter is{host_role::number, dtype_of<T>};
    static T of(const host_call& c, std::size_t k) {
        T value;
        std::memcpy(&value, c.numbers + k, sizeof value);
        return value;
    }
};

template <class... P>
struct host_parameters {
    static constexpr host_parameter list[] = {host_argument<std::remove_cvref_t<P>>::is...};
    static constexpr bool is_known = true;
    /// Which array or number parameter k is.
    static constexpr std::size_t place(std::size_t k) {
        std::size_t n = 0;
        for (std::size_t j = 0; j < k; ++j) n += (list[j].role == host_role::number) == (list[k].role == host_role::number);
        return n;
    }
    template <class F>
    static void call(const F& f, const host_call& c) {
        [&]<std::size_t... K>(std::index_sequence<K...>) { f(host_argument<std::remove_cvref_t<P>>::of(c, place(K))...); }
        (std::index_sequence_for<P...>());
    }
};

/// Of what is no such function.
template <class F>
struct host_signature {
    static constexpr bool is_known = false;
    static constexpr std::span<const host_parameter> list{};
    template <class G>
    static void call(const G&, const host_call&) {}
};
template <class C, class... P>
struct host_signature<void (C::*)(P...) const> : host_parameters<P...> {};
template <class C, class... P>
struct host_signature<void (C::*)(P...) const noexcept> : host_parameters<P...> {};
template <class... P>
struct host_signature<void (*)(P...)> : host_parameters<P...> {};
template <class... P>
struct host_signature<void (*)(P...) noexcept> : host_parameters<P...> {};
template <class F>
auto host_call_operator() {
    if constexpr (requires { &F::operator(); })
        return &F::operator();
    else
        return static_cast<std::conditional_t<std::is_pointer_v<F>, F, F*>>(nullptr);
}

template <class F>
struct host_function_of final : host_function {
    using signature = host_signature<decltype(host_call_operator<F>())>;
    host_function_of(std::string_view called, F f, source_line made)
        : host_function(called, signature::list, made), f_(std::move(f)) {
        static_assert(signature::is_known,
                      "frit: a host_kernel's function has parameters of known types, is const, and returns void: "
                      "[](std::span<float> y, std::span<const float> x, int n) { ... }");
    }
    void run(const host_call& c) const override { signature::call(f_, c); }

private:
    F f_;
};

/// A counted reference: calls that wait keep the function, whatever becomes of its host_kernel.
class host_function_ref {
public:
    explicit host_function_ref(const host_function* f) noexcept : p_(f) {}  ///< takes over the first reference
    host_function_ref(const host_function_ref& o) noexcept : p_(o.p_) { retain(p_); }
    host_function_ref& operator=(host_function_ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~host_function_ref() { release(p_); }
    const host_function* operator->() const noexcept { return p_; }
    const host_function* get() const noexcept { return p_; }
    static void retain(const host_function* f) noexcept { f->references.fetch_add(1, std::memory_order_relaxed); }
    static void release(const host_function* f) noexcept {
        if (f->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete f;
    }

private:
    const host_function* p_;
};

FRIT_API void launch_host(const host_function_ref&, std::span<kernel_argument>);

}  // namespace detail
/// @endcond

/// A C++ function that a program has of plain memory (a library of its own, a loop that no formula says), as a part of the
/// graph. Its parameters say what it takes: `std::span<T>` is an array that it reads and writes, `std::span<const T>` one
/// that it reads, `frit::host_span` either with its shape, an arithmetic type a number. It returns void.
///
/// ```cpp
/// const frit::host_kernel running("running", [](std::span<double> y, double factor) {
///     for (std::size_t k = 1; k < y.size(); ++k) y[k] += factor * y[k - 1];
/// });
/// frit::array<double> y{1, 2, 3};
/// running.launch(frit::inout(y), 0.5);
/// std::cout << y + 1 << '\n';
/// ```
/// ```text
/// [2.   3.5  5.25]
/// ```
template <class F>
class host_kernel {
public:
    /// The function goes with the last that wants it. What plans know of it, its name and the kinds of its parameters, stays
    /// for ever, once for all of the same: name them by what they do, and not by a count.
    /// @param name  what errors and frit::explain call it
    /// @param f  it may run on another thread, whenever its results are wanted, and must not evaluate what waits for it.
    ///     It may evaluate other arrays, and fork(); it must not wait for another thread that does, which may wait for it
    /// @param where  the caller's line
    host_kernel(std::string_view name, F f, source_line where = {})
        : function_(detail::or_out_of_memory("host_kernel", where,
                                             [&] { return new detail::host_function_of<F>(name, std::move(f), where); })) {}

    /// Records a call: arrays named by frit::inout are rebound to what it makes of them. It runs once, when one of them is
    /// wanted first, and makes all of them; formulas among the arguments are evaluated before. C++ numbers are converted as
    /// an assignment converts them. In frit::stats() it is a library call. What it throws is thrown by that evaluation as a
    /// frit::error with the formula and this line, with what it was nested in it; its results stay without a value, and
    /// everything else stays as it is.
    ///
    /// Where it has run and something later of the same evaluation fails (a launch behind it, or memory that runs out), its
    /// results are stored if they are among what the evaluation was to store: those asked for, and those that a user holds
    /// still. A result that only led to what failed is not kept; who asks for the same again has it run once more, or, where
    /// it worked in place, is told that its array's memory was taken over.
    /// @throws dtype_error for an argument of another dtype than its parameter, or another number of arguments
    /// @throws device_error for arrays that are not on the CPU
    template <detail::launchable... A>
    requires(sizeof...(A) > 0) void launch(const A&... arguments) const {
        detail::kernel_argument list[] = {detail::argument_of(arguments)...};
        detail::launch_host(function_, list);
    }

private:
    detail::host_function_ref function_;
};

}  // namespace frit::v0
