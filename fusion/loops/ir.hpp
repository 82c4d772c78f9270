// The loop IR: what a schedule makes of a kernel spec, and what printers write as text. Plain data: functions of statements
// over typed expressions. It says what is computed in which order and where it is kept; how a language spells that is a
// printer's business, and why the order is this one a schedule's.
//
// A value is an index, a truth, an address of elements, a number, or a number in each of the kernel's lanes. Lanes of bool
// are masks. Expressions are evaluated where they stand, each time they stand somewhere: what is needed twice is a variable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion::loops {

enum class kind : std::uint8_t {
    index,    ///< 64 bits, signed
    truth,    ///< of one condition
    address,  ///< of an element of a dtype; adding n goes n elements further
    number,   ///< one value of a dtype
    lanes     ///< as many as the function says
};

struct type {
    kind what = kind::index;
    dtype of = dtype::i64;  ///< of an address, a number, lanes
    bool constant = false;  ///< of an address: nothing is written through it
    friend bool operator==(const type&, const type&) = default;
};
constexpr type index_type() { return {}; }
constexpr type truth_type() { return {kind::truth, dtype::bool_}; }
constexpr type address_of(dtype t, bool constant) { return {kind::address, t, constant}; }
constexpr type number_of(dtype t) { return {kind::number, t}; }
constexpr type lanes_of(dtype t) { return {kind::lanes, t}; }

/// The name of an expression or a variable of a function: its place in the list.
using expression_id = std::uint32_t;
using variable_id = std::uint32_t;
inline constexpr expression_id nothing = ~expression_id{0};

/// `in[0]`, `in[1]`, ... are written a, b, ... here; n is the expression's own number.
enum class code : std::uint8_t {
    constant,  ///< the index, the truth or the number n; lanes: its bits, in all of them
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
    popcount,
    least,
    most,
    // truths
    lt,
    le,
    eq,
    ne,
    both,
    either,
    negated,
    choice,  ///< a ? b : c; only the one that is taken is evaluated
    // addresses
    forward,  ///< a moved on by b elements
    bytes,    ///< an address as an index
    pinned,   ///< a, computed here: compilers do not take its sum apart again inside a loop
    // from memory
    read,       ///< the number at a
    load,       ///< neighbours from a on
    load_part,  ///< b of them; the other lanes are 1
    gather,     ///< elements b apart from a on
    collect,    ///< d elements of the row a with stride b, from index c on; n > 0: through the clamp at word n; rest 1
    // lanes
    splat,       ///< the number a everywhere
    along,       ///< a, a + b, a + 2 b, ... of indices, as what the type says; with c, d: between those (clamped first)
    compute,     ///< `op` of the table
    cast,        ///< a, of dtype `from`, as what the type says
    rotated,     ///< lane k is what lane k + n was, round and round
    kept,        ///< the first c lanes of a, the others of b
    everywhere,  ///< the first lane of a
};

struct expression {
    code what = code::constant;
    type is{};
    frit::op op = frit::op::leaf;  ///< compute
    dtype from = dtype::bool_;     ///< cast; compute: the dtype that the spelling goes by
    std::vector<expression_id> in{};
    std::int64_t n = 0;
};

struct variable {
    std::string name;
    type is{};
    std::int64_t count = 0;  ///< of an array; 0: it is none
};

/// What the prelude has functions for that are worth no copy in every kernel, or that compilers should see as a whole.
enum class routine : std::uint8_t {
    narrow,        ///< (word, place of two indices): shrinks [first, second) to indices that the clamp does not change
    order_loads,   ///< (place of addresses as indices, how many, place of two indices): `host_order_loads` of the preludes
    fill,          ///< (to, lanes, row, stride, from, count): copies a row's elements; the other lanes are 1
    fill_clamped,  ///< the same (..., word): through the clamp there
    spill,         ///< (row, stride, at, count, from): copies elements to a row
    store_words,   ///< (address of words, lanes, count): the first lanes, each to the low bytes of a word
    call,          ///< function n of the kernel, with this function's own parameters
};

enum class act : std::uint8_t {
    let,             ///< variable n = a, never set again
    declare,         ///< variable n, without a value or = a; an array
    set,             ///< variable n = a
    put,             ///< element a of array n = b
    loop,            ///< for n = a; n < b; n += c: body; `unroll` steps at once
    repeat,          ///< while a: body
    when,            ///< if a: body, else otherwise
    leave,           ///< return
    store,           ///< b to a
    store_part,      ///< its first c lanes
    store_first,     ///< its first lane
    scatter,         ///< c to the elements b apart from a on
    spread,          ///< the first d lanes of e to the elements from index c on of the row a with stride b
    stream,          ///< b to a, past the caches where c
    finish_streams,  ///< behind the last of those, where a
    prefetch,        ///< n elements from a on, which need not exist; of an index: the byte at that address
    run              ///< a routine
};

struct statement;
using block = std::vector<statement>;

struct statement {
    act what = act::let;
    std::uint32_t n = 0;
    std::vector<expression_id> in{};
    block body{}, otherwise{};
    routine runs = routine::narrow;
    std::uint32_t unroll = 1;  ///< loop; 0: as the compiler likes
};

/// Parameters come first among the variables. The first is the address of the words.
struct function {
    std::string name;
    std::uint32_t parameters = 0;
    std::vector<variable> variables;
    std::vector<expression> expressions;
    block body;
};

/// Functions of one kernel; the last one is the entry.
struct kernel {
    int lanes = 1;   ///< of every value in lanes
    int widest = 1;  ///< bytes of the widest number in them
    std::vector<function> functions;
};

/// Readable form for golden tests, logs and FRIT_DUMP.
std::string to_string(const kernel&);

/// What is wrong with a kernel, in words; empty where nothing is. Types fit, every variable is declared where it is read and
/// has a value, what is said never to change does not, constant elements lie in their arrays.
std::string check(const kernel&);

}  // namespace frit::v0::fusion::loops
