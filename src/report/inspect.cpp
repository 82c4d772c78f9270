// Looking inside: reports on plans that are made like those of an evaluation and then thrown away, and the counters.
#include "frit/inspect.hpp"

#include <fstream>
#include <optional>

#include "src/base/errors.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/temporary_folder.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/in_flight.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/memory/live_buffers.hpp"

namespace frit::inline v0 {
namespace detail {
namespace {

struct report {
    context* home = nullptr;
    expansion e;
    fusion::execution_plan plan;
    std::vector<std::string> unasked;  ///< see stored_unasked
    fusion::memory_policy policy = fusion::memory_policy::none;
    bool fits = true;
};

/// What an evaluation would do: the first plan that fits under the memory limit; where none does, the one that takes least.
void plan_within_limit(report& r) {
    const fusion::graph as_recorded = r.e.graph;
    for (const fusion::memory_policy policy : fusion::memory_policies) {
        fusion::graph graph = as_recorded;
        fusion::execution_plan plan = fusion::make_plan(graph, r.home->engine.target(), fusion_on(), nullptr, policy);
        give_workspaces(*r.home, plan);
        r.fits = is_within_limit(*r.home, plan.peak_bytes, 0);
        if (policy == fusion::memory_policy::none || plan.peak_bytes < r.plan.peak_bytes || r.fits) {
            r.plan = std::move(plan);
            r.e.graph = std::move(graph);
            r.policy = policy;
        }
        if (r.fits) return;
    }
}

/// What the memory limit has made of a plan; empty where nothing.
std::string limit_text(const report& r) {
    if (r.fits && r.policy == fusion::memory_policy::none) return {};
    const std::string s = "memory limit of " + readable_bytes(limit_of_memory()) + ": ";
    if (!r.fits) return s + "would be refused\n";
    return s + "values are computed again rather than stored" +
           (r.policy == fusion::memory_policy::one_by_one ? ", results made one after the other\n" : "\n");
}

/// The arrays that the evaluation stores beside what is asked for, and why. Under the context's lock.
std::vector<std::string> stored_unasked(const expansion& e) {
    std::vector<std::string> all;
    for (std::size_t k = e.asked; k < e.outputs.size(); ++k) {
        const node& n = *e.outputs[k];
        all.push_back(std::string(name_of(n.type)) + " " + to_string(*n.extents) + place(n.where) +
                      (n.watched.load(std::memory_order_relaxed) ? ": it is computed for the second time"
                       : is_update(n)                            ? ": so that its memory can be updated in place"
                                                                 : ": another such array was computed twice"));
    }
    return all;
}

std::string stored_text(const report& r) {
    std::string s;
    for (std::size_t k = 0; k < r.unasked.size(); ++k)
        s += "also stores t" + std::to_string(r.e.graph.outputs[r.e.asked + k]) + ", " + r.unasked[k] + "\n";
    return s;
}

/// One report per device that the nodes live on.
std::vector<report> reports(std::span<node_head* const> nodes, source_line where) {
    std::vector<report> all;
    for (const node_head* head : nodes) {
        if (!head) throw_empty("explain", run_time, where);
        context* home = as_node(head)->home;
        bool seen = false;
        for (const report& r : all) seen = seen || r.home == home;
        if (seen) continue;
        report r;
        r.home = home;
        std::vector<node*> roots;
        for (node_head* n : nodes)
            if (as_node(n)->home == home) roots.push_back(as_node(n));
        {
            std::unique_lock lock(home->lock);
            wait_until_landed(*home, lock, [&] {
                r.e = expand(*home, roots, false);
                return !r.e.blocked;
            });
            r.unasked = stored_unasked(r.e);
        }
        if (!r.e.outputs.empty()) plan_within_limit(r);
        all.push_back(std::move(r));
    }
    return all;
}

}  // namespace

plan make_plan(std::span<node_head* const> nodes, source_line where) try {
    plan_data data;
    for (const report& r : reports(nodes, where)) {
        for (const fusion::launch& l : r.plan.launches) {
            if (l.call) {
                if (l.domain->size() > 0)
                    data.library_calls.emplace_back(
                        std::string(l.call->code == op::call ? l.call->of->name : name_of(l.call->code)) + " " +
                            to_string(*l.domain),
                        static_cast<std::uint64_t>(l.bytes_read), static_cast<std::uint64_t>(l.bytes_written));
                continue;
            }
            if (l.empty()) continue;
            data.kernels.emplace_back(fusion::schedule_of(l) + " " + to_string(*l.domain), source_of(*r.home, l.spec),
                                      static_cast<std::uint64_t>(l.bytes_read), static_cast<std::uint64_t>(l.bytes_written),
                                      fusion::operations_of(l), fusion::bound_of(l, r.home->engine.target()));
        }
        data.peak_bytes += static_cast<std::uint64_t>(r.plan.peak_bytes);
        data.dot += fusion::to_dot(r.e.graph, r.plan);
    }
    return plan(std::move(data));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("make_plan", where);
}

std::string explain(std::span<node_head* const> nodes, source_line where) try {
    std::string text;
    for (const report& r : reports(nodes, where)) {
        if (r.e.outputs.empty())
            text += "already evaluated: nothing to run\n";
        else
            text += limit_text(r) + stored_text(r) + fusion::explain(r.e.graph, r.plan, r.home->engine.target());
    }
    return text;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("explain", where);
}

}  // namespace detail

void plan::save(const std::string& file) const try {
    const std::size_t dot = file.rfind('.');
    const std::string format = dot == std::string::npos ? "" : file.substr(dot + 1);
    if (format != "dot" && format != "svg" && format != "png" && format != "pdf")
        throw io_error("save_plan: " + file + ": the choices are .svg, .png, .pdf and .dot");
    std::optional<detail::temporary_folder> folder;
    if (format != "dot") folder.emplace("save_plan");
    const std::string text = folder ? *folder / "plan.dot" : file;
    std::ofstream out(text);
    out << to_dot();
    out.close();
    if (!out) throw io_error("save_plan: " + text + " cannot be written");
    if (!folder) return;
    const detail::process_result drawn = detail::run_process({"dot", "-T" + format, "-o" + file, text});
    if (drawn.status != 0)
        throw io_error("save_plan: " + file + ": Graphviz's program dot (Debian: graphviz) is missing or failed" +
                       (drawn.output.empty() ? "; a file .dot needs none" : ": " + drawn.output));
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("save_plan", detail::unknown_line);
}

counters stats() {
    const auto& c = detail::counters_now;
    counters s;
    s.kernels_launched = c.kernels_launched;
    s.library_calls = c.library_calls;
    s.compilations = c.compilations;
    s.plans_built = c.plans_built;
    s.plans_reused = c.plans_reused;
    s.disk_hits = c.disk_hits;
    s.bundle_hits = c.bundle_hits;
    s.bytes_read = c.bytes_read;
    s.bytes_written = c.bytes_written;
    s.host_to_device_bytes = c.host_to_device_bytes;
    s.device_to_host_bytes = c.device_to_host_bytes;
    s.live_bytes = c.live_bytes;
    s.peak_bytes = c.peak_bytes;
    s.pending_nodes = c.pending_nodes;
    s.kernels_interpreted = c.kernels_interpreted;
    s.kernels_compiled = c.kernels_compiled;
    return s;
}

void reset_stats() {
    auto& c = detail::counters_now;
    for (auto* counter : {&c.kernels_launched, &c.library_calls, &c.compilations, &c.plans_built, &c.plans_reused,
                          &c.disk_hits, &c.bundle_hits, &c.bytes_read, &c.bytes_written, &c.host_to_device_bytes,
                          &c.device_to_host_bytes, &c.kernels_interpreted, &c.kernels_compiled})
        counter->store(0);
    c.peak_bytes.store(c.live_bytes.load());
}

}  // namespace frit::v0
