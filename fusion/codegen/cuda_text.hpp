// What every kernel in CUDA C++ is written with, whatever its schedule: lines and blocks, the run-time words, the offsets of
// accesses, the accumulators of reductions.
#pragma once

#include <string>
#include <vector>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/word_map.hpp"
#include "fusion/machine/cuda_shape.hpp"

namespace frit::inline v0::fusion {

class cuda_text {
protected:
    cuda_text(const dialect&, const kernel_spec&, const word_map&, std::string name);

    // --- lines ---
    static std::string str(std::uint64_t n) { return std::to_string(n); }
    void line(const std::string& text) { out_ += (text.starts_with('#') ? "" : std::string(4 * depth_, ' ')) + text + "\n"; }
    void open(const std::string& text) {
        line(text + " {");
        ++depth_;
    }
    void close() {
        --depth_;
        line("}");
    }
    /// for (int <name> = 0; <name> < count; <name> += step), unrolled so many times (0: wholly)
    void open_loop(const std::string& name, unsigned count, unsigned step = 1, unsigned unroll = 0);
    std::string indent() const { return std::string(4 * depth_, ' '); }

    // --- the run-time words ---
    void parameters();  ///< struct <name>_words
    /// Up to the opening brace; blocks: so many fit on an SM at once (0: as it comes).
    void signature(unsigned threads, unsigned blocks = 0);
    std::string type(dtype t) const { return d_.type(t); }
    /// Declares elements in registers, which are read by branches.
    std::string lanes_of(dtype t, const std::string& name, std::uint64_t count) const {
        if (is_short(t) && count > 1) return "frit_shorts<" + type(t) + ", " + str(count) + "> " + name;
        return type(t) + " " + name + "[" + str(count) + "]";
    }
    std::string extent(unsigned d) const { return "(" + linear_ + ")w.extent[" + str(d) + "]"; }
    std::string extents(unsigned first, unsigned last) const;  ///< their product
    std::string pointer(const access&, bool constant) const;
    std::string scalar(std::uint32_t k) const;
    /// The element offset of an access at the indices i0, i1, ... of the domain (variables of the offset type).
    std::string offset(const access&, const std::vector<dim_words>&) const;
    std::string read(std::size_t load) const;  ///< loads[load] at these indices
    /// Splits the row-major index `rest` of the dimensions [first, last) into <prefix><first> and so on: a division for each
    /// but the first.
    void decode(unsigned first, unsigned last, const std::string& qualifier, char prefix = 'i');
    /// The indices of the element `by` further in the dimensions [first, last).
    void carry(unsigned first, unsigned last, unsigned by, char prefix = 'i');
    std::string coordinate_of(std::size_t k, dtype t) const;

    // --- kernels with patches, where no clamp is reached ---
    std::string affine_offset(const access&, const std::vector<dim_words>&) const;  ///< offset() without clamps
    std::string affine_coordinate_of(std::size_t k, dtype t) const;
    /// What a step in dimension d adds to affine_offset.
    std::string affine_stride(const access&, const std::vector<dim_words>&, std::size_t d) const;
    std::string unclamped(unsigned d, bool last) const {
        return "(" + offset_ + ")w.step[" + str(map_.layout.unclamped + 2 * d + last - map_.layout.accesses) + "]";
    }

    // --- reductions: struct <name>_acc<r>, see cuda_groups.cpp ---
    void accumulators();
    std::string acc(std::size_t r) const { return name_ + "_acc" + str(r); }
    std::string lift(std::size_t r, char prefix = 't') const;  ///< acc of one element, from its values
    std::string total(std::size_t r) const { return ".p" + str(static_cast<unsigned>(rule_of(s_.reductions[r]).result)); }

    const dialect& d_;
    const kernel_spec& s_;
    const word_map& map_;
    std::string name_, linear_, offset_, out_;
    std::size_t depth_ = 0;

private:
    std::string typed_index(const std::string& value, dtype t) const;
    std::string step(std::uint32_t word, const std::string& as) const {
        return "(" + as + ")w.step[" + str(word - map_.layout.accesses) + "]";
    }
};

}  // namespace frit::v0::fusion
