// The loop IR: what a schedule makes of a kernel spec, and what printers write as text. Plain data: functions of statements
// over typed expressions. It says what is computed in which order and where it is kept; how a language spells that is a
// printer's business, and why the order is this one a schedule's.
//
// A value is an index, a truth, an address of elements, a number, or a number in each of the kernel's lanes. Lanes of bool
// are masks. On a GPU a thread has no lanes, it computes numbers; what its reductions add up are accumulators. Expressions
// are evaluated where they stand, each time they stand somewhere: what is needed twice is a variable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/ir/reduction_rule.hpp"

namespace frit::inline v0::fusion::loops {

enum class kind : std::uint8_t {
    index,       ///< a whole number; 64 bits and signed where nothing else is said
    truth,       ///< of one condition
    address,     ///< of an element of a dtype, or of an accumulator; adding n goes n elements further
    number,      ///< one value of a dtype
    lanes,       ///< as many as the function says
    accumulator  ///< the parts of one of the kernel's rules, as one value
};

struct type {
    kind what = kind::index;
    dtype of = dtype::i64;  ///< of an index (i32, u32, i64 or u64), an address, a number, lanes
    bool constant = false;  ///< of an address: nothing is written through it
    std::uint8_t rule = 0;  ///< of an accumulator, or an address of some: one more than the rule's number
    friend bool operator==(const type&, const type&) = default;
};
constexpr type index_type(dtype t = dtype::i64) { return {kind::index, t}; }
constexpr type truth_type() { return {kind::truth, dtype::bool_}; }
constexpr type address_of(dtype t, bool constant) { return {kind::address, t, constant}; }
constexpr type number_of(dtype t) { return {kind::number, t}; }
constexpr type lanes_of(dtype t) { return {kind::lanes, t}; }
constexpr type accumulator_of(std::size_t rule) {
    return {kind::accumulator, dtype::u64, false, static_cast<std::uint8_t>(rule + 1)};
}
constexpr type address_of_accumulators(std::size_t rule) {
    return {kind::address, dtype::u64, false, static_cast<std::uint8_t>(rule + 1)};
}

/// What a GPU tells a thread of itself: its place in the block, the block's in the grid, and how many of each there are.
enum class launch_index : std::uint8_t {
    thread_x,
    thread_y,
    block_x,
    block_y,
    block_z,
    threads_x,
    threads_y,
    blocks_x,
    blocks_y
};

/// The name of an expression or a variable of a function: its place in the list.
using expression_id = std::uint32_t;
using variable_id = std::uint32_t;
inline constexpr expression_id nothing = ~expression_id{0};

/// `in[0]`, `in[1]`, ... are written a, b, ... here; n is the expression's own number.
enum class code : std::uint8_t {
    constant,  ///< the index, the truth or the number n; lanes: its bits, in all of them
    launch,    ///< the launch_index n
    word,      ///< the run-time word n as an index, an address or a number
    variable,  ///< variable n
    element,   ///< element a of the array n
    place,     ///< the address of element a of the array n
    // of indices
    add,
    sub,
    mul,
    div,  ///< rounded to zero
    rem,
    bit_and,
    bit_xor,
    popcount,
    least,
    most,
    clamped,  ///< a, or b where it is less, or c where it is more
    // truths
    lt,
    le,
    eq,
    ne,
    both,
    either,
    negated,
    choice,       ///< a ? b : c; only the one that is taken is evaluated
    some,         ///< whether any lane of the bools a is true
    interrupted,  ///< whether somebody has interrupted the evaluation, by the words at a (word_layout)
    // addresses
    forward,  ///< a moved on by b elements
    bytes,    ///< an address as an index
    pinned,   ///< a, computed here: compilers do not take its sum apart again inside a loop; a number: they know nothing of
              ///< it
    retyped,  ///< a as an address of another type
    // from memory
    read,       ///< the number at a
    load,       ///< neighbours from a on
    load_part,  ///< b of them; the other lanes are 1
    gather,     ///< elements b apart from a on
    collect,    ///< d elements of the row a with stride b, from index c on; n > 0: through the clamp at word n; rest 1
    look_up,    ///< elements b from a on, of which c exist: a number where it is true, the first lanes; absent: all.
                ///< Others read element 0
    arrival,    ///< index: how many of b threads came to the ticket at a before this one; the last sees what they wrote
    search,  ///< lanes of int64, or a number: how many of the first c elements from a on, sorted, are less than b, NaN last;
             ///< n = 1: not greater. `from` is their dtype
    // lanes
    splat,       ///< the number a everywhere
    along,       ///< a, a + b, a + 2 b, ... of indices, as what the type says; with c, d: between those (clamped first)
    compute,     ///< `op` of the table
    cast,        ///< a, of dtype `from`, as what the type says: a number, an index or lanes
    bit_cast,    ///< the bits of a, of dtype `from`, as a number or lanes of another dtype
    rotated,     ///< lane k is what lane k + n was, round and round
    kept,        ///< the first c lanes of a, the others of b
    checked,     ///< the index a of b elements, from the end where it is negative; else 0, and the fault record at c says so
                 ///< where the element exists: d, as for look_up
    drawn,       ///< `op`, random words: those of element a + b, of stream c and key d, where element a begins a block
    everywhere,  ///< the first lane of a
    // accumulators, of the type's rule; where that reads more than parts, this is behind the operands of what combines
    identity,      ///< before any element
    lifted,        ///< one element: of the number a; for rules that take more of a and b, or a, b and c, or of all states
    taken,         ///< a after b, which has met elements, was taken in
    part,          ///< the number that is part n of a
    tree,          ///< n neighbours from the address a on as one, by a pairwise tree; they are gone afterwards
    tree_part,     ///< a after the tree of the first c of n neighbours from b on was taken in; gone likewise
    group_total,   ///< of a over n neighbouring lanes of a warp, which all of them get
    dealt_total,   ///< of each of the b accumulators from the address a on over n neighbouring lanes of a warp: lane k gets
                   ///< that of number k % b; they are gone afterwards
    block_total,   ///< of a over n warps, the whole block
    column_total,  ///< of a over the n threads that differ in thread_y alone, by way of the shared memory at b
    before_lane,   ///< what the lanes of the warp before this one have in a together
    of_lane,       ///< a as lane n of the warp has it
    from_lane,     ///< the number a as lane b of the warp has it
    before_warp,   ///< what the warps before this one, of n, have in a together, which is the same in all lanes of one
    before_block,  ///< what the tiles before tile c of the d of its row have together, in an order that depends on c alone;
                   ///< of this one the last warp has a. By way of words of 64 bits at b, zero at first: for each total of
                   ///< totals_of_tiles(d) and each 4 bytes of it one, whose upper half says that the lower one is there
    turn,          ///< index: how many blocks came to the ticket at a before this one
    last_block,    ///< truth: of b blocks that share the ticket at a, this one comes last, and sees what the others wrote
};

/// Whether all threads of a block (of a group of lanes: of a warp) must come to it together.
constexpr bool is_met_by_all(code c) { return c >= code::group_total && c <= code::last_block; }

struct expression {
    code what = code::constant;
    type is{};
    frit::op op = frit::op::leaf;  ///< compute
    dtype from = dtype::bool_;     ///< cast; compute: the dtype that the spelling goes by
    std::vector<expression_id> in{};
    std::int64_t n = 0;  ///< compute of three operands: whether the second and the third are scalars
};

/// Where an array is. `packed`: in registers, 16-bit elements two a register, for arrays that branches read.
enum class storage : std::uint8_t { own, packed, shared };

struct variable {
    std::string name;
    type is{};
    std::int64_t count = 0;  ///< of an array; 0: it is none
    storage in = storage::own;
    std::uint32_t aligned = 1;  ///< elements, of a shared array
};

/// What the prelude has functions for that are worth no copy in every kernel, or that compilers should see as a whole.
enum class routine : std::uint8_t {
    stretch,       ///< (word, index, place of an index): lowers the latter to where the clamp is no longer what it is at the
                   ///< former, one index after the other, or one for all
    narrow,        ///< (word, place of two indices): shrinks [first, second) to indices that the clamp does not change
    order_loads,   ///< (place of addresses as indices, how many, place of two indices): `host_order_loads` of the preludes
    fill,          ///< (to, lanes, row, stride, from, count): copies a row's elements; the other lanes are 1
    fill_clamped,  ///< the same (..., word): through the clamp there
    spill,         ///< (row, stride, at, count, from): copies elements to a row
    fill_rows,  ///< (to, lanes, row, pitch, stride, rows, count): copies elements of rows to where a row's are `lanes` apart
    spill_rows,   ///< (row, pitch, stride, rows, count, from, lanes): and back
    store_words,  ///< (address of words, lanes, count): the first lanes, each to the low bytes of a word
};

enum class act : std::uint8_t {
    let,             ///< variable n = a, never set again
    declare,         ///< variable n, without a value or = a; an array, = a: of zeros
    set,             ///< variable n = a
    put,             ///< element a of array n = b
    loop,            ///< for n = a; n < b; n += c: body; unrolled as `unroll` says
    repeat,          ///< while a: body; likewise
    when,            ///< if a: body, else otherwise
    leave,           ///< return
    end_loop,        ///< out of the innermost loop or repeat
    store,           ///< b to a
    store_part,      ///< its first c lanes
    store_first,     ///< its first lane
    scatter,         ///< c to the elements b apart from a on
    spread,          ///< the first d lanes of e to the elements from index c on of the row a with stride b
    stream,          ///< b to a, past the caches where c
    finish_streams,  ///< behind the last of those, where a
    write,           ///< the number or accumulator b to a
    add_at,          ///< the index or number b is added to what is at a, at once, whoever else does so
    copy_in,         ///< `count` elements from the address b on to those from a on, in registers
    copy_out,        ///< `count` elements from b on, in registers or shared memory, to those from the address a on
    barrier,         ///< of the block's threads; n = 1: of the warp's
    prefetch,        ///< n elements from a on, which exist where the target is a GPU; of an index: the byte at that address
    run              ///< a routine
};

struct statement;
using block = std::vector<statement>;

/// What becomes of the cached lines of what is copied. `once`: nobody reads them again; `once_of_both`: the same in a kernel
/// that writes as much as it reads; `pieces`: the same, with what lies beside it; `streamed`: they leave first.
enum class cache : std::uint8_t { plain, once, once_of_both, pieces, streamed };

/// Of copy_in and copy_out: `width` neighbours are one access; in registers elements are `step` apart.
struct transfer {
    std::uint32_t count = 1, width = 1, step = 1;
    cache policy = cache::plain;
};

inline constexpr std::uint32_t as_compilers_like = 0, not_at_all = 1, wholly = ~std::uint32_t{0};

struct statement {
    act what = act::let;
    std::uint32_t n = 0;
    std::vector<expression_id> in{};
    block body{}, otherwise{};
    routine runs = routine::narrow;
    std::uint32_t unroll = as_compilers_like;  ///< loop, repeat: so many steps at once
    transfer how{};
};

/// Parameters come first among the variables. The first is the address of the words.
struct function {
    std::string name;
    std::uint32_t parameters = 0;
    std::vector<variable> variables;
    std::vector<expression> expressions;
    block body;
};

/// A GPU's function has no parameters: its words come with the launch.
struct kernel {
    int lanes = 1;   ///< of every value in lanes
    int widest = 1;  ///< bytes of the widest number in them
    function entry;
    // of a GPU's
    unsigned threads = 0, blocks_per_sm = 0;     ///< of a block, 0: it is a CPU's; how many blocks must fit, 0: as it comes
    std::vector<bool> addresses;                 ///< which words are
    std::vector<const reduction_rule*> rules{};  ///< of the accumulators
    std::vector<std::shared_ptr<const reduction_rule>> own_rules{};  ///< those among them that are this kernel's
};

/// Readable form for golden tests, logs and FRIT_DUMP.
std::string to_string(const kernel&);

/// What is wrong with a kernel, in words; empty where nothing is. Types fit, every variable is declared where it is read and
/// has a value, what is said never to change does not, constant elements lie in their arrays.
std::string check(const kernel&);

}  // namespace frit::v0::fusion::loops
