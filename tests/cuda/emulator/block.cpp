// See block.hpp. Whoever waits or ends chooses the next thread and switches to its fiber; only when nobody is ready, or
// something is wrong, does the host's own stack go on.
#include "tests/cuda/emulator/block.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <map>

namespace frit_test {
namespace {

thread_local emulated_block* running = nullptr;

std::string in_words(emulated_index i) {
    return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
}

}  // namespace

emulated_block::emulated_block() {
    void* const all = ::mmap(nullptr, stack_bytes * most_threads, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    stacks_ = static_cast<char*>(all);
}

emulated_block::~emulated_block() { ::munmap(stacks_, stack_bytes * most_threads); }

emulated_block::fiber* emulated_block::free_fiber() {
    if (free_.empty()) {
        fibers_.push_back(std::make_unique<fiber>());
        char* const stack = stacks_ + (fibers_.size() - 1) * stack_bytes;
        ::mprotect(stack, 4096, PROT_NONE);  // a stack that is too small is a crash, not another thread's wrong values
        fibers_.back()->stack = stack + 4096;
        free_.push_back(fibers_.back().get());
    }
    fiber* const f = free_.back();
    free_.pop_back();
    if (!f->started) {
        ::getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = stack_bytes - 4096;
        f->context.uc_link = nullptr;
        ::makecontext(&f->context, start_fiber, 0);
        f->started = true;
    }
    return f;
}

void emulated_block::start_fiber() { running->live(*running->threads_[running->current_].runs_on); }

void emulated_block::live(fiber& mine) {
    for (;;) {  // one thread after the other
        entry_(words_);
        finish(mine);
    }
}

void emulated_block::go_on(ucontext_t& from) {
    ucontext_t* to = &main_;
    if (error_.empty() && next_ready_ < ready_.size()) {
        if (shuffled_) std::swap(ready_[next_ready_], ready_[next_ready_ + random_() % (ready_.size() - next_ready_)]);
        current_ = ready_[next_ready_++];
        const unsigned rest = current_ / block_dim_.x;
        library_->place->threadIdx = {current_ % block_dim_.x, rest % block_dim_.y, rest / block_dim_.y};
        thread& t = threads_[current_];
        if (!t.runs_on) t.runs_on = free_fiber();
        to = &t.runs_on->context;
    }
    if (to != &from) ::swapcontext(&from, to);
}

void emulated_block::fail(const std::string& what) {
    error_ = library_->name_of(entry_) + ", block " + in_words(library_->place->blockIdx) + ", thread " +
             in_words(library_->place->threadIdx) + ": " + what;
}

void emulated_block::wait() { go_on(threads_[current_].runs_on->context); }

void emulated_block::make_ready(unsigned thread) {
    threads_[thread].is = state::ready;
    ready_.push_back(thread);
}

void emulated_block::finish(fiber& mine) {
    const unsigned warp = current_ / 32;
    threads_[current_].is = state::done;
    threads_[current_].runs_on = nullptr;
    free_.push_back(&mine);
    --living_;
    if (at_barrier_ > 0 && at_barrier_ == living_) open_barrier();
    for (unsigned k = warp * 32; k < warp * 32 + 32 && k < threads_.size(); ++k)
        if (threads_[k].is == state::in_exchange) open_exchange(warp, threads_[k].exchange->mask);
    go_on(mine.context);
}

void emulated_block::open_barrier() {
    unsigned set = 0;
    const thread* first = nullptr;
    for (const thread& t : threads_) {
        if (t.is != state::at_barrier) continue;
        if (!first) first = &t;
        if (t.line != first->line || std::strcmp(t.what, first->what) != 0)
            return fail("the block's threads meet at different barriers: " + library_->in_text(first->what, first->line) +
                        " and " + library_->in_text(t.what, t.line));
        set += t.predicate != 0;
    }
    for (unsigned k = 0; k < threads_.size(); ++k)
        if (threads_[k].is == state::at_barrier) {
            threads_[k].result = set;
            make_ready(k);
        }
    at_barrier_ = 0;
    memory_->block_barrier();
}

unsigned emulated_block::living_lanes(unsigned warp) const {
    unsigned lanes = 0;
    for (unsigned k = 0; k < 32 && warp * 32 + k < threads_.size(); ++k)
        if (threads_[warp * 32 + k].is != state::done) lanes |= 1u << k;
    return lanes;
}

void emulated_block::open_exchange(unsigned warp, unsigned mask) {
    const unsigned living = living_lanes(warp), wanted = mask & living;
    thread* const lanes = threads_.data() + warp * 32;
    const emulated_exchange* first = nullptr;
    for (unsigned k = 0; k < 32; ++k) {
        if (!(wanted >> k & 1)) continue;
        const emulated_exchange* e = lanes[k].is == state::in_exchange ? lanes[k].exchange : nullptr;
        if (!e) return;  // still to come
        if (!first) first = e;
        if (e->mask != mask || e->line != first->line || e->bytes != first->bytes || std::strcmp(e->what, first->what) != 0)
            return fail("lanes of a warp do different things together: " + library_->in_text(first->what, first->line) +
                        " and " + library_->in_text(e->what, e->line) + (e->mask != mask ? ", with different masks" : ""));
    }
    unsigned long long all[32] = {};
    for (unsigned k = 0; k < 32; ++k)
        if (wanted >> k & 1 && first->bytes > 0) std::memcpy(&all[k], lanes[k].exchange->value, first->bytes);
    if (first->bytes == 0 && wanted == living) memory_->warp_barrier(warp);
    for (unsigned k = 0; k < 32; ++k)
        if (wanted >> k & 1) {
            std::memcpy(lanes[k].exchange->all, all, sizeof all);
            lanes[k].result = wanted;
            make_ready(warp * 32 + k);
        }
}

std::string emulated_block::in_vain() const {
    std::map<std::string, unsigned> places;
    for (const thread& t : threads_)
        if (t.is != state::done) ++places[library_->in_text(t.what, t.line)];
    std::string all =
        library_->name_of(entry_) + ", block " + in_words(library_->place->blockIdx) + ": threads wait in vain";
    for (const auto& [place, count] : places) all += "\n  " + std::to_string(count) + " in " + place;
    return all + "\n  " + std::to_string(threads_.size() - living_) + " have ended";
}

void emulated_block::run(emulated_library& library, emulated_entry* entry, const void* words, emulated_index block_dim,
                         emulated_index block, memory_watch& memory, unsigned seed) {
    library_ = &library;
    entry_ = entry;
    words_ = words;
    memory_ = &memory;
    block_dim_ = block_dim;
    shuffled_ = seed != 0;
    random_.seed(seed);
    error_.clear();
    const unsigned count = block_dim.x * block_dim.y * block_dim.z;
    if (count == 0 || count > most_threads) throw emulation_error("a block of " + std::to_string(count) + " threads");
    library.place->blockIdx = block;
    library.place->blockDim = block_dim;
    library.spoil_shared();
    memory.start_block(count);
    threads_.assign(count, {});
    ready_.clear();
    next_ready_ = 0;
    for (unsigned k = 0; k < count; ++k) make_ready(k);
    living_ = count;
    at_barrier_ = 0;

    running = this;
    go_on(main_);
    running = nullptr;
    if (error_.empty() && living_ > 0) error_ = in_vain();
    if (error_.empty()) return;
    free_.clear();  // whatever the fibers were doing, they start anew
    for (const auto& f : fibers_) {
        f->started = false;
        free_.push_back(f.get());
    }
    throw emulation_error(error_);
}

const emulated_calls& emulated_block::calls() {
    static constexpr emulated_calls all{
        [](const char* what, int line, int predicate) {
            emulated_block& b = *running;
            thread& t = b.threads_[b.current_];
            t.is = state::at_barrier;
            t.what = what;
            t.line = line;
            t.predicate = predicate;
            if (++b.at_barrier_ == b.living_) b.open_barrier();
            b.wait();
            return t.result;
        },
        [](emulated_exchange* e) {
            emulated_block& b = *running;
            const unsigned me = b.current_;
            thread& t = b.threads_[me];
            t.is = state::in_exchange;
            t.what = e->what;
            t.line = e->line;
            t.exchange = e;
            if (e->mask >> me % 32 & 1)
                b.open_exchange(me / 32, e->mask);
            else
                b.fail(b.library_->in_text(e->what, e->line) + ", with a mask that leaves its own lane out");
            b.wait();
            return t.result;
        },
        [] { running->memory_->fence(running->current_); },
        [](const void* p, unsigned long bytes, bool writes, const void* where) {
            emulated_block& b = *running;
            const char* const at = static_cast<const char*>(p);
            if (b.on_stack(at) || b.library_->holds(at)) return;
            if (const std::string wrong = b.memory_->access(b.current_, at, bytes, writes); wrong.empty())
                return;
            else
                b.fail(wrong + b.library_->where(where));
            b.wait();
        },
        [](const void* p, unsigned long bytes, const void* where) {
            emulated_block& b = *running;
            if (const std::string wrong = b.memory_->atomic(b.current_, static_cast<const char*>(p), bytes); wrong.empty())
                return;
            else
                b.fail(wrong + b.library_->where(where));
            b.wait();
        },
        [](const char* what, unsigned line) {
            running->fail(running->library_->in_text(what, static_cast<int>(line)));
            running->wait();
        },
    };
    return all;
}

}  // namespace frit_test
