// How values move, as LLVM's instructions: lanes from memory, from numbers and from other lanes, and back to memory. What is
// worth no copy in every kernel is a call of the prelude's functions (src/cpu/jit_functions).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fusion/codegen/llvm_lanes.hpp"

namespace frit::inline v0::fusion::llvm {

class move_writer : public lane_writer {
public:
    move_writer(int lanes, int vector_bytes, bool has_fma)
        : lane_writer(lanes, vector_bytes, has_fma), vector_bytes_(vector_bytes) {}

protected:
    // --- words of the text ---
    static std::string n(std::int64_t x) { return std::to_string(x); }
    static std::int64_t size(dtype t) { return static_cast<std::int64_t>(size_of(t)); }
    std::string count() const { return n(lanes()); }
    static std::string element_type(dtype);
    std::string lanes_type(dtype t) const { return vector(element_of(t), lanes()); }
    static std::string aligned(dtype t) { return ", align " + n(size(is_complex(t) ? real_dtype(t) : t)); }

    // --- places ---
    /// Memory of the function's own.
    std::string own_memory(const std::string& what) {
        const std::string name = "%a" + n(++allocas_);
        entry_ += "  " + name + " = alloca " + what + "\n";
        return name;
    }
    std::string word_at(std::int64_t k) { return result("getelementptr i64, ptr %p0, i64 " + n(k)); }
    std::string forward(const std::string& from, dtype t, const std::string& by) {
        return result("getelementptr " + element_type(t) + ", ptr " + from + ", i64 " + by);
    }
    /// Where the other half of complex lanes lies.
    std::string second_half(const std::string& from, dtype t) {
        return result("getelementptr " + lanes_type(t) + ", ptr " + from + ", i64 1");
    }

    // --- neighbours in memory ---
    lanes_value load(const std::string& from, dtype);
    void store(const std::string& to, const lanes_value&, dtype);
    /// The first `elements`; the other lanes are 1.
    lanes_value load_part(const std::string& from, const std::string& elements, dtype);
    /// Some processors take long over a store of some lanes, all of them or not: where it is all, it is a plain store.
    void store_part(const std::string& to, const lanes_value&, const std::string& elements, dtype);
    void store_first(const std::string& to, const lanes_value&, dtype);
    /// Past the caches where `far`, which says that the address is aligned to the vector.
    void stream(const std::string& to, const lanes_value&, const std::string& far, dtype);

    // --- others ---
    lanes_value gather(const std::string& from, const std::string& stride, dtype);
    /// Elements at[k] from `from` on in the first `elements` lanes; the others read element 0.
    lanes_value gather_at(const std::string& from, const lanes_value& at, const std::string& elements, dtype);
    /// Indices that are in range, and the fault record where one of the first `elements` is not.
    /// Of values of dtype t in the first elements from an address on: see loops::code::search.
    lanes_value search(bool through, const std::string& from, const lanes_value& v, const lanes_value& elements, dtype t);
    lanes_value checked(const lanes_value& at, const lanes_value& extents, const std::string& fault,
                        const std::string& elements);
    void scatter(const std::string& to, const std::string& stride, const lanes_value&, dtype);
    /// Elements [index, index + elements) of a row, through the clamp at that word where it is not 0.
    struct row_part {
        std::string row, stride, index, elements;
    };
    void fill(const std::string& to, const std::string& width, const row_part&, std::int64_t clamp, dtype);
    void spill(const row_part&, const std::string& from, dtype);
    lanes_value collect(const row_part&, std::int64_t clamp, dtype);
    void spread(const row_part&, const lanes_value&, dtype);
    /// The first `elements` lanes to words.
    void store_words(const std::string& to, const lanes_value&, const std::string& elements, dtype);

    // --- lanes of numbers and of other lanes ---
    lanes_value splat(const std::string& number, dtype);
    std::string number_of_index(const std::string& index, dtype);
    /// start + step * lane, in the dtype; or of indices, between low and high, and then in the dtype.
    lanes_value along(const std::string& start, const std::string& step, dtype);
    lanes_value along(const std::string& start, const std::string& step, const std::string& low, const std::string& high,
                      dtype);
    /// Lane k is what lane order(k) was.
    template <class F>
    lanes_value reordered(const lanes_value& v, F order) {
        std::string list;
        for (int k = 0; k < lanes(); ++k) list += (k ? ", i32 " : "i32 ") + n(order(k));
        return {reordered_by(v.first, list)};
    }
    /// The first `elements` lanes of a, the others of b.
    lanes_value kept(const lanes_value& a, const lanes_value& b, const std::string& elements) {
        return {select(named(first_lanes(elements, of(a.first)), element::i8, true), a.first, b.first)};
    }

    // --- blocks ---
    std::string label() { return "b" + std::to_string(++labels_); }
    void go(const std::string& to) { line("br label %" + to); }
    void branch(const std::string& condition, const std::string& yes, const std::string& no) {
        line("br i1 " + condition + ", label %" + yes + ", label %" + no);
    }
    void start_block(const std::string& name) {
        out_ += name + ":\n";
        here_ = name;
    }
    /// The blocks that both ways end in.
    struct ends {
        std::string one, other;
    };
    ends either(const std::string& condition, const std::function<void()>& one, const std::function<void()>& other);
    const std::string& here() const { return here_; }  ///< the block that is being written

    bool streams_ = false;  ///< some store is not temporal

private:
    std::string are_neighbours(const std::string& stride);
    bool has_part_moves(dtype) const;
    std::string first_lanes(const std::string& elements, element);
    std::string ones(dtype);
    std::string masked(const char* move, dtype) const;
    lanes_value loaded(const std::string& name, dtype);
    std::string stored(id lanes, dtype);
    void store_some(const std::string& to, const lanes_value&, const std::string& elements, dtype);
    std::string scratch(dtype t) { return own_memory("[" + count() + " x " + element_type(t) + "], align 64"); }
    void copy(const std::string& to, const std::string& from, const std::string& elements, dtype);
    lanes_value splat_complex(const std::string& number, dtype);
    std::string whole_of(const std::string& vector_type, const std::string& number_type, const std::string& number);
    id steps(const std::string& start, const std::string& step, dtype);
    id reordered_by(id, const std::string& list);

    const int vector_bytes_;
    std::string here_;
    int labels_ = 0, allocas_ = 0;
};

}  // namespace frit::v0::fusion::llvm
