// Assignment to parts of an array: u(slice(1, -1)) = ..., u(mask) = .... The view knows the handle it was taken from through
// a token that the handle clears when it dies, so a view kept too long is an error and never a dangling pointer. Writing
// means recording a functional update and pointing the handle at it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "frit/detail/record.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0 {
template <dtype D>
class composed;
/// @cond
/// Base of a recipe that is a class of namespace detail and names none of frit's: so frit's operators are looked up for it.
struct has_operators {};
/// @endcond
}  // namespace frit::v0

namespace frit::inline v0::detail {

/// The elements of x's first axes where the mask, which has those, is true.
FRIT_API user_ref picked_of(const user_ref& x, const user_ref& mask, source_line);

/// Whether values of this shape, assigned to u(mask), are one for each true element: they have an axis for these, which is
/// neither of extent 1 nor, of a mask that is a vector, that of the mask itself.
FRIT_API bool is_one_each(const shape& values, const shape& mask, const shape& of);

/// Shared by a handle and the views that were taken from it.
struct liveness_token {
    std::atomic<std::uint32_t> references{1};
    handle_ref* handle;  ///< null once the handle is gone
    explicit liveness_token(handle_ref* h) noexcept : handle(h) {}
};
inline void drop(liveness_token* t) noexcept {
    if (t->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete t;
}

/// The handle's end. It belongs to the object, not to the value: copies and moves leave it where it is.
class liveness {
public:
    liveness() = default;
    liveness(const liveness&) noexcept {}
    liveness& operator=(const liveness&) noexcept { return *this; }  // NOLINT(bugprone-unhandled-self-assignment)
    ~liveness() {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): it is set, in pairs too, where the analyzer loses it
        if (!token_) return;
        token_->handle = nullptr;
        drop(token_);
    }
    liveness_token* token(handle_ref& of) {
        if (!token_) token_ = or_out_of_memory("index", unknown_line, [&] { return new liveness_token(&of); });
        return token_;
    }

private:
    liveness_token* token_ = nullptr;
};

/// A view's end.
class target {
public:
    target(liveness_token* t, source_line where) noexcept : where_(where), token_(t) {
        token_->references.fetch_add(1, std::memory_order_relaxed);
    }
    target(const target& o) noexcept : target(o.token_, o.where_) {}
    target& operator=(const target&) = delete;
    ~target() { drop(token_); }
    source_line where() const noexcept { return where_; }
    /// @throws error if the handle is gone or empty
    handle_ref& handle() const {
        if (!token_->handle || !*token_->handle) throw_handle_gone(where_);
        return *token_->handle;
    }
    /// Points the handle at `value`. @throws shape_error if that would change the handle's shape
    void assign(handle_ref value) const {
        handle_ref& h = handle();
        check_same_shape(*h->extents, *value->extents, where_);
        h = std::move(value);
    }
    static void check_same_shape(const frit::shape& base, const frit::shape& value, source_line where) {
        if (&base != &value && base != value) throw_assigned_shape(base, value, where);
    }

private:
    source_line where_;
    liveness_token* token_;
};

/// Whether only running shows that E may be written into an array of dtype D. Where that is known and it may not, this does
/// not compile.
template <dtype D, class E>
constexpr bool is_written_open() {
    constexpr argument from = argument_of<E>();
    constexpr bool open = D == run_time || from.type == run_time;
    if constexpr (!open)
        static_assert(may_write(from, D),
                      "frit: writing casts within a kind only: use frit::cast<T>(x) to make an integer of a floating value "
                      "or a bool of a number");
    return open;
}

/// What E becomes when it is written into an array of dtype D: a child of that dtype. `to` is D, or what it is at run time.
template <dtype D, class E>
auto to_written(E&& e, dtype to) {
    constexpr bool open = is_written_open<D, E>();
    if constexpr (open && scalar<E>)
        return make_converted<D>(number_child<run_time>(e), to, conversion::written);
    else if constexpr (open)
        return make_converted<D>(static_cast<E&&>(e), to, conversion::written);
    else if constexpr (scalar<E> && number_t<D, E>::type == D)
        return number_child<D>(e, op::update);
    else if constexpr (scalar<E>)
        return make_as<op::cast, D, D>(number_child<D>(e));
    else if constexpr (operand_t<E>::type == D)
        return operand_t<E>(static_cast<E&&>(e));
    else
        return make_as<op::cast, D, D>(static_cast<E&&>(e));
}

/// The node of what E becomes when it is written.
template <dtype D, class E>
handle_ref record_written(const E& e, source_line where) {
    auto value = to_written<D>(e, D);
    if constexpr (std::is_same_v<decltype(value), leaf<D>>)
        return handle_of(e, where);
    else
        return handle_ref(record(value, where));
}

/// The same of a dtype that is known at run time.
template <class E>
handle_ref record_written(const E& e, dtype to, source_line where) {
    return handle_ref(record(to_written<run_time>(e, to), where));
}

/// The binary op, then the cast back: the value of a compound assignment.
template <op Op, dtype D, class A, class B>
auto to_updated(A&& old, B&& value, dtype to) {
    return to_written<D>(make<Op>(static_cast<A&&>(old), static_cast<B&&>(value)), to);
}

/// The right side of `a += x` on a whole array A. A conversion notes the caller's line, for which an operator has no room;
/// what it converts from lives until the statement ends.
template <op Op, class A>
class compound_operand {
public:
    template <operand_or_scalar E>
    compound_operand(const E& value, source_line where = {}) noexcept : value_(&value), update_(&update<E>), where_(where) {}
    source_line where() const noexcept { return where_; }
    /// The node of a's new value.
    handle_ref update_of(const A& a) const { return update_(a, value_, where_); }

private:
    template <class E>
    static handle_ref update(const A& a, const void* value, source_line where) {
        const auto& operand = *static_cast<const E*>(value);
        return handle_ref(record(to_updated<Op, A::frit_operand::type>(a, operand, dtype_of_operand(a, where)), where));
    }
    const void* value_;
    handle_ref (*update_)(const A&, const void*, source_line);
    source_line where_;
};

// C++'s compound assignments and what each means.
#define FRIT_COMPOUND_ASSIGNMENTS(X) \
    X(+=, add)                       \
    X(-=, sub)                       \
    X(*=, mul)                       \
    X(/=, div)                       \
    X(%=, mod)                       \
    X(&=, bit_and)                   \
    X(|=, bit_or)                    \
    X(^=, bit_xor)                   \
    X(<<=, shl)                      \
    X(>>=, shr)

/// Result of deleted assignments: the compiler's message prints it.
struct assign_to_the_array_itself_not_to_a_named_view {};

/// u(slice(1, -1)): a recipe like any view, and assignable as long as it is a temporary.
template <dtype D>
class array_view : public expr<op::view, D, leaf<D>, attribute_child> {
    using base = expr<op::view, D, leaf<D>, attribute_child>;

public:
    array_view(const base& view, attribute_ref map, const target& of) : base(view), map_(std::move(map)), target_(of) {}
    array_view(const array_view&) = default;

    /// u(s) = v(t) writes: it never rebinds the view.
    void operator=(const array_view& value) && { write(static_cast<const base&>(value)); }
    template <operand_or_scalar E>
    void operator=(const E& value) && {
        write(value);
    }
    assign_to_the_array_itself_not_to_a_named_view operator=(const array_view&) & = delete;
    template <operand_or_scalar E>
    assign_to_the_array_itself_not_to_a_named_view operator=(const E&) & = delete;
#define FRIT_X(token, name)                                                             \
    template <operand_or_scalar E>                                                      \
    void operator token(const E& value)&& {                                             \
        write(to_updated<op::name, D>(static_cast<const base&>(*this), value, type())); \
    }                                                                                   \
    template <operand_or_scalar E>                                                      \
    assign_to_the_array_itself_not_to_a_named_view operator token(const E&)& = delete;
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X

private:
    template <class E>
    void write(const E& value) const {
        handle_ref& h = target_.handle();
        target::check_same_shape(map_->source, *h->extents, target_.where());
        h = handle_ref(record(make_as<op::update, D, D>(leaf<D>(h.get()), to_written<D>(value, h->type),
                                                        attribute_child{update_attribute(*map_)}),
                              target_.where()));
    }
    dtype type() const { return target_.handle()->type; }
    attribute_ref map_;
    target target_;
};

/// Elements of an array that are read when they are first asked for, of what the array was when it was indexed, whatever is
/// assigned to it meanwhile; that is let go of then. `View` says how: `read(base)`. Threads may ask at the same time.
template <class View, dtype D>
class elements_of : public recipe<View, D>, public has_operators {
public:
    elements_of(const elements_of& o) {
        const bool first = o.take();
        node_ = o.node_;
        if (first)
            o.leave(state::base);
        else
            now_.store(state::elements, std::memory_order_relaxed);
    }
    void operator=(const elements_of&) = delete;

    using frit_operand = leaf<D>;
    operator leaf<D>() const { return leaf<D>(node().get()); }
    const user_ref& node() const {
        if (take()) try {
                node_ = static_cast<const View&>(*this).read(node_);
                leave(state::elements);
            } catch (...) {
                leave(state::base);
                throw;
            }
        return node_;
    }

protected:
    explicit elements_of(const target& of) : node_(of.handle().get()) {}

private:
    enum class state : std::uint8_t { base, busy, elements };
    /// Whether node_ is the base still, which this thread alone looks at until `leave`.
    bool take() const {
        for (state s = now_.load(std::memory_order_acquire); s != state::elements;) {
            if (s == state::base && now_.compare_exchange_weak(s, state::busy, std::memory_order_acquire)) return true;
            if (s != state::busy) continue;
            now_.wait(state::busy, std::memory_order_acquire);
            s = now_.load(std::memory_order_acquire);
        }
        return false;
    }
    void leave(state s) const {
        now_.store(s, std::memory_order_release);
        now_.notify_all();
    }
    mutable user_ref node_;
    mutable std::atomic<state> now_{state::base};
};

template <class V, dtype D>
handle_ref handle_of(const elements_of<V, D>& x, source_line where) {
    return held_value(x.node(), where);
}
template <class V, dtype D>
frit::shape shape_of(const elements_of<V, D>& x, source_line) {
    return *x.node()->extents;
}
template <class V, dtype D>
dtype dtype_of_operand(const elements_of<V, D>& x, source_line) {
    return x.node()->meant;
}
template <class V, dtype D>
composed<D> as_value(const elements_of<V, D>& x) {
    return composed<D>(x.node());
}

/// The node of a formula: of a single leaf, its own.
template <class E>
user_ref formula_node(const E& e, source_line where) {
    if constexpr (E::length == 1 && E::leaves == 1)
        return e.node;
    else
        return record_part(packed<E>(e, where).value);
}

/// The base with one value for each element where the mask is true, or with what Op makes of both.
template <dtype D, op Op, class E>
user_ref put_at_true(const user_ref& base, const user_ref& mask, const E& values, source_line where);

/// u(mask): the elements where a bool recipe is true; of a mask with fewer axes than u, which has the extents of u's first
/// ones, what is behind these. Read, a recipe of the elements, which are counted when they are first asked for. As a target,
/// all of u seen through the mask, by which nothing is counted: for a value that has u's shape or broadcasts along the axes
/// behind the mask's. A value with an axis for the true elements has one for each, as in NumPy, and those are counted.
template <dtype D, class Mask>
class masked_view : public elements_of<masked_view<D, Mask>, D> {
public:
    masked_view(Mask mask, const target& of)
        : elements_of<masked_view<D, Mask>, D>(of), mask_(std::move(mask)), target_(of) {}
    masked_view(const masked_view&) = default;

    user_ref read(const user_ref& base) const { return picked_of(base, mask_node(), target_.where()); }

    /// u(m) = v(m) writes: it never rebinds the view.
    void operator=(const masked_view& value) && { static_cast<masked_view&&>(*this) = composed<D>(value.node()); }
    template <operand_or_scalar E>
    void operator=(const E& value) && {
        if (put<op::update>(value)) return;
        write(to_written<D>(value, target_.handle()->type));
    }
#define FRIT_X(token, name)                                               \
    template <operand_or_scalar E>                                        \
    void operator token(const E& value)&& {                               \
        if (put<op::name>(value)) return;                                 \
        const handle_ref& h = target_.handle();                           \
        write(to_updated<op::name, D>(leaf<D>(h.get()), value, h->type)); \
    }
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X

private:
    frit::shape mask_shape() const { return infer_shape(packed<Mask>(mask_, target_.where()).value); }
    /// Puts a value that is one for each true element. @return whether it is
    template <op Op, class E>
    bool put(const E& value) const {
        if constexpr (!operand<E>) {
            return false;
        } else {
            const handle_ref& base = target_.handle();
            if (!is_one_each(shape_of(value, target_.where()), mask_shape(), *base->extents)) return false;
            const user_ref now = put_at_true<D, Op>(user_ref(base.get()), mask_node(), value, target_.where());
            target_.assign(handle_ref(now.get()));
            return true;
        }
    }
    template <class E>
    void write(E&& value) const {
        const handle_ref& base = target_.handle();
        const frit::shape mask = mask_shape();
        if (mask.rank() > 0 && mask.rank() < base->extents->rank()) {  // NumPy's rule: those are the first
            const composed<Mask::type> first(mask_of_first_axes(mask_node(), *base->extents, target_.where()));
            auto rows = make_as<op::where, D, D>(first, static_cast<E&&>(value), leaf<D>(base.get()));
            return target_.assign(handle_ref(record(rows, target_.where())));
        }
        check_mask("assign", mask, *base->extents, target_.where());
        auto chosen = make_as<op::where, D, D>(mask_, static_cast<E&&>(value), leaf<D>(base.get()));
        target_.assign(handle_ref(record(chosen, target_.where())));
    }
    user_ref mask_node() const { return formula_node(mask_, target_.where()); }
    Mask mask_;
    target target_;
};

}  // namespace frit::v0::detail
