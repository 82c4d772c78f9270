// The printing options: one set for the process, and on each thread those of its innermost scope.
#include "src/base/print_options.hpp"

#include <mutex>
#include <utility>

#include "src/base/errors.hpp"

namespace frit::inline v0 {
namespace {

constexpr int most_digits = 1074;  // after the point: the smallest double has as many

struct process_options {
    std::mutex lock;
    printoptions now{.precision = 8,
                     .threshold = 1000,
                     .edgeitems = 3,
                     .linewidth = 75,
                     .suppress = false,
                     .nanstr = "nan",
                     .infstr = "inf",
                     .sign = '-',
                     .floatmode = float_mode::maxprec};
};
process_options& of_process() {
    static auto* const options = new process_options;  // never destroyed, as all singletons
    return *options;
}

thread_local printoptions* innermost = nullptr;

[[noreturn]] void refuse(const std::string& option, const std::string& allowed, source_line where) {
    throw error("set_printoptions: " + option + " must be " + allowed + detail::place(where));
}

void check(const printoptions& o, source_line where) {
    if (o.precision && (*o.precision < 0 || *o.precision > most_digits))
        refuse("precision", "from 0 to " + std::to_string(most_digits), where);
    if (o.threshold && *o.threshold < 0) refuse("threshold", "at least 0", where);
    if (o.edgeitems && *o.edgeitems < 1) refuse("edgeitems", "at least 1", where);
    if (o.sign && *o.sign != '-' && *o.sign != '+' && *o.sign != ' ') refuse("sign", "'-', '+' or ' '", where);
}

void apply(printoptions& to, const printoptions& changes) {
    const auto set = [](auto& option, const auto& change) {
        if (change) option = change;
    };
    set(to.precision, changes.precision);
    set(to.threshold, changes.threshold);
    set(to.edgeitems, changes.edgeitems);
    set(to.linewidth, changes.linewidth);
    set(to.suppress, changes.suppress);
    set(to.nanstr, changes.nanstr);
    set(to.infstr, changes.infstr);
    set(to.sign, changes.sign);
    set(to.floatmode, changes.floatmode);
}

/// All of them or none.
void change(printoptions& now, const printoptions& changes) {
    printoptions next = now;
    apply(next, changes);
    now = std::move(next);
}

}  // namespace

void set_printoptions(const printoptions& changes, source_line where) try {
    check(changes, where);
    if (innermost) return change(*innermost, changes);
    const std::scoped_lock guard(of_process().lock);
    change(of_process().now, changes);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("set_printoptions", where);
}

printoptions get_printoptions() try {
    if (innermost) return *innermost;
    const std::scoped_lock guard(of_process().lock);
    return of_process().now;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("get_printoptions", detail::unknown_line);
}

scoped_printoptions::scoped_printoptions(const printoptions& changes, source_line where)
    : here_(get_printoptions()), outer_(innermost) {
    detail::or_out_of_memory("scoped_printoptions", where, [&] {
        check(changes, where);
        apply(here_, changes);
    });
    innermost = &here_;
}

scoped_printoptions::~scoped_printoptions() { innermost = outer_; }

namespace detail {
void lock_printoptions_for_fork() { of_process().lock.lock(); }
void unlock_printoptions_after_fork() { of_process().lock.unlock(); }
}  // namespace detail

}  // namespace frit::v0
