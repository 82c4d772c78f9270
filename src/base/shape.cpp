// What the words that all rooms share have to say: a shape as text, what no shape can be, and the ends of errors' texts.
#include "frit/shape.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "src/base/errors.hpp"

namespace frit::inline v0 {

namespace detail {
namespace {

std::string tuple_of(const integers& list) {
    std::string text = "(";
    for (const std::int64_t& k : list) text += (&k == list.begin() ? "" : ", ") + std::to_string(k);
    return text + (list.end() - list.begin() == 1 ? ",)" : ")");
}

/// Its text stands in it: where there is no memory, none is asked for.
class host_out_of_memory final : public out_of_memory {
public:
    host_out_of_memory(std::string_view who, source_line where) noexcept : out_of_memory("") {
        constexpr std::size_t most = 160;  // of a long path, its end
        const std::size_t length = std::strlen(where.file);
        const char* const file = where.file + (length > most ? length - most : 0);
        const int n = std::snprintf(text_, sizeof text_, "%.*s: out of memory on the host",
                                    static_cast<int>(std::min(who.size(), most / 4)), who.data());
        if (where.line != 0)
            std::snprintf(text_ + n, sizeof text_ - static_cast<std::size_t>(n), " [%s:%d]", file, where.line);
    }
    const char* what() const noexcept override { return text_; }

private:
    char text_[256];
};

}  // namespace
}  // namespace detail

std::string to_string(const shape& s) try { return detail::tuple_of(s); } catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("shape", detail::unknown_line);
}

namespace detail {

void throw_out_of_memory(std::string_view who, source_line where) { throw host_out_of_memory(who, where); }

std::string place(source_line where) {
    if (where.line == 0) return {};
    return " [" + std::string(where.file) + ":" + std::to_string(where.line) + "]";
}

void throw_rank(std::size_t rank, source_line where) try {
    throw shape_error("shape: " + std::to_string(rank) + " dimensions, at most " + std::to_string(max_rank) +
                      " are possible" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", where);
}

void throw_impossible(const integers& extents, source_line where) try {
    for (std::int64_t e : extents)
        if (e < 0)
            throw shape_error("shape: an extent is " + std::to_string(e) + ", it must not be negative" + place(where));
    throw shape_error("shape: " + tuple_of(extents) + " has more elements than memory can address" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", where);
}

void throw_no_entry(std::int64_t k, const integers& of) try {
    throw index_error("axis " + std::to_string(k) + " is out of range for rank " + std::to_string(of.end() - of.begin()) +
                      ": " + tuple_of(of));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape", unknown_line);
}

}  // namespace detail

}  // namespace frit::v0
