// Barriers and totals over threads hang, or are wrong, where some threads do not come. So what decides whether a thread
// comes may not differ from thread to thread: what is made of a thread's own index, of memory, or set where only some
// threads come.
#include <algorithm>

#include "fusion/loops/check_parts.hpp"

namespace frit::inline v0::fusion::loops {
namespace {

class meetings {
public:
    explicit meetings(const function& f) : f_(f), differs_(f.variables.size()) {}

    std::string run() {
        for (std::size_t known = differing() + 1; known != differing();) {  // until nothing new differs
            known = differing();
            wrong_.clear();
            some_left_ = false;
            from(f_.body, false);
        }
        return wrong_;
    }

private:
    std::size_t differing() const { return static_cast<std::size_t>(std::count(differs_.begin(), differs_.end(), true)); }
    bool differs(expression_id id) const {
        const expression& e = f_.expressions[id];
        switch (e.what) {
            case code::launch: return e.n <= static_cast<std::int64_t>(launch_index::thread_y);
            case code::read:
            case code::look_up:
            case code::arrival:
            case code::search:
            case code::dealt_total:
            case code::before_lane:
            case code::before_warp:
            case code::element: return true;
            case code::block_total:
            case code::before_block:
            case code::turn:
            case code::last_block: return false;
            case code::variable: return differs_[static_cast<std::size_t>(e.n)];
            default: return std::any_of(e.in.begin(), e.in.end(), [this](auto a) { return differs(a); });
        }
    }
    // What stands behind a condition in an expression is evaluated where it holds.
    void operands(const std::vector<expression_id>& in, bool some, bool lazy = false) {
        for (std::size_t k = 0; k < in.size(); ++k) {
            const expression& e = f_.expressions[in[k]];
            const bool fewer = some || (lazy && k > 0 && differs(in[0]));
            if (is_met_by_all(e.what)) meeting(fewer);
            operands(e.in, fewer, e.what == code::both || e.what == code::either || e.what == code::choice);
        }
    }
    void meeting(bool some) {
        if (some || some_left_ || some_ended_) wrong_ = "threads meet where not all of them come";
    }
    // @param some: only some threads come here
    void from(const block& all, bool some) {
        for (const statement& s : all) one(s, some);
    }
    void one(const statement& s, bool some) {
        operands(s.in, some);
        if (s.what == act::barrier) meeting(some);
        const bool differing = std::any_of(s.in.begin(), s.in.end(), [this](auto a) { return differs(a); });
        switch (s.what) {
            case act::let:
            case act::declare:
            case act::set:
                if (differing || some || some_left_ || some_ended_) differs_[s.n] = true;
                return;
            case act::loop:
                if (differing || some) differs_[s.n] = true;
                [[fallthrough]];
            case act::repeat: {  // twice: who left in one round is not there in the next
                const bool around = some_ended_;
                from(s.body, some || differing);
                operands(s.in, some);
                from(s.body, some || differing);
                some_ended_ = around;  // behind the loop all are there again
                return;
            }
            case act::when: from(s.body, some || differing); return from(s.otherwise, some || differing);
            case act::leave: some_left_ |= some; return;
            case act::end_loop: some_ended_ |= some; return;
            default: return;
        }
    }

    const function& f_;
    std::vector<bool> differs_;                    // by variable
    bool some_left_ = false, some_ended_ = false;  // the kernel; the innermost loop
    std::string wrong_;
};

}  // namespace

std::string check_meetings(const function& f) { return meetings(f).run(); }

}  // namespace frit::v0::fusion::loops
