// See object.hpp. Nothing of the bytes is believed: they come from a disk. What is executed in the end is as right as the
// bytes are, which the cache's checksum answers for; here no read and no write leaves its bounds, whatever they say.
//
// The memory is one mapping: code and the stubs of calls to elsewhere, constants and the table of addresses, data. The
// mapping is less than 2 GiB, so that what lies in it reaches each other; whatever else there is goes by the table.
#include "src/cpu/object.hpp"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::uint64_t largest_image = std::uint64_t{256} << 20;  // an object that says it is larger is no kernel
constexpr std::uint64_t page = 4096;                               // of x86-64
constexpr std::uint64_t stub_bytes = 8, address_bytes = 8;

[[noreturn]] void bad(const std::string& what) { throw io_error("compiled kernel: " + what); }

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

/// A value out of the bytes, wherever it lies.
template <class T>
T value_at(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || sizeof(T) > bytes.size() - at) bad("cut short");
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

std::string_view part_of(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || size > bytes.size() - at) bad("cut short");
    return bytes.substr(at, size);
}

/// A name in a table of strings, each with a zero behind it.
std::string_view name_at(std::string_view table, std::uint64_t at) {
    if (at >= table.size()) bad("a name outside its table");
    const std::size_t end = table.find('\0', at);
    if (end == std::string_view::npos) bad("a name without an end");
    return table.substr(at, end - at);
}

/// By what may be done with it once it is loaded.
enum class part : std::uint8_t { none, code, constants, data };

struct section {
    Elf64_Shdr header;
    std::string_view name;
    part where = part::none;
    std::uint64_t at = 0;  ///< in the mapping
};

/// What a symbol needs beside its value.
struct symbol {
    Elf64_Sym entry;
    std::string_view name;
    std::uint64_t value = 0;
    bool in_mapping = false, needs_value = false, needs_address = false, needs_stub = false;
    std::uint64_t address_at = 0, stub_at = 0;
};

bool goes_by_table(std::uint64_t type) {
    return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
}

}  // namespace

class object_loader {
public:
    object_loader(std::string_view bytes, const std::function<void*(std::string_view)>& resolve)
        : bytes_(bytes), resolve_(resolve) {}

    std::unique_ptr<loaded_object> run() {
        read_sections();
        read_symbols();
        for_each_relocation([this](const section& s, const Elf64_Rela& r) { note(s, r); });
        lay_out();
        map();
        find_values();
        for_each_relocation([this](const section& s, const Elf64_Rela& r) { apply(s, r); });
        write_tables();
        protect();
        export_symbols();
        return std::move(made_);
    }

private:
    void read_sections() {
        const auto h = value_at<Elf64_Ehdr>(bytes_, 0);
        if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
            h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_type != ET_REL || h.e_machine != EM_X86_64)
            bad("not a relocatable object for x86-64");
        if (h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shnum == 0 || h.e_shstrndx >= h.e_shnum) bad("no table of sections");
        sections_.resize(h.e_shnum);
        for (std::size_t k = 0; k < sections_.size(); ++k)
            sections_[k].header = value_at<Elf64_Shdr>(part_of(bytes_, h.e_shoff, sections_.size() * sizeof(Elf64_Shdr)),
                                                       k * sizeof(Elf64_Shdr));
        const std::string_view names = contents_of(sections_[h.e_shstrndx]);
        for (section& s : sections_) {
            s.name = s.header.sh_type == SHT_NULL ? std::string_view() : name_at(names, s.header.sh_name);
            s.where = part_for(s);
        }
    }

    std::string_view contents_of(const section& s) const {
        if (s.header.sh_type == SHT_NOBITS || s.header.sh_type == SHT_NULL) return {};
        return part_of(bytes_, s.header.sh_offset, s.header.sh_size);
    }

    part part_for(const section& s) const {
        const std::uint64_t flags = s.header.sh_flags, alignment = s.header.sh_addralign;
        if (!(flags & SHF_ALLOC)) return part::none;
        if (s.name.starts_with(".eh_frame") || s.name.starts_with(".note")) return part::none;  // nothing unwinds through it
        if (s.header.sh_type != SHT_PROGBITS && s.header.sh_type != SHT_NOBITS)
            bad("section " + std::string(s.name) + " is of a kind that no kernel has");
        if (flags & (SHF_TLS | SHF_COMPRESSED)) bad("section " + std::string(s.name) + " is thread-local or compressed");
        if ((flags & SHF_WRITE) && (flags & SHF_EXECINSTR)) bad("section " + std::string(s.name) + " is writable code");
        if (s.name.starts_with(".ctors") || s.name.starts_with(".dtors")) bad("it has constructors");
        if ((alignment & (alignment - 1)) != 0 || alignment > page)
            bad("section " + std::string(s.name) + ": its alignment");
        if (s.header.sh_size > largest_image) bad("absurdly large");
        static_cast<void>(contents_of(s));
        if (flags & SHF_EXECINSTR) return part::code;
        return flags & SHF_WRITE && !s.name.starts_with(".data.rel.ro") ? part::data : part::constants;
    }

    void read_symbols() {
        for (std::size_t k = 0; k < sections_.size(); ++k) {
            const section& s = sections_[k];
            if (s.header.sh_type == SHT_SYMTAB_SHNDX) bad("too many sections");
            if (s.header.sh_type != SHT_SYMTAB) continue;
            if (symbols_at_ != 0) bad("two tables of symbols");
            symbols_at_ = k;
            if (s.header.sh_entsize != sizeof(Elf64_Sym) || s.header.sh_link >= sections_.size())
                bad("its table of symbols");
            const std::string_view table = contents_of(s), names = contents_of(sections_[s.header.sh_link]);
            symbols_.resize(table.size() / sizeof(Elf64_Sym));
            for (std::size_t n = 0; n < symbols_.size(); ++n) {
                symbols_[n].entry = value_at<Elf64_Sym>(table, n * sizeof(Elf64_Sym));
                if (symbols_[n].entry.st_name != 0) symbols_[n].name = name_at(names, symbols_[n].entry.st_name);
                symbols_[n].in_mapping = home_of(symbols_[n].entry) != nullptr;
            }
        }
    }

    /// The loaded section that a symbol lies in, or null.
    const section* home_of(const Elf64_Sym& s) const {
        if (s.st_shndx == SHN_UNDEF || s.st_shndx >= SHN_LORESERVE) return nullptr;
        if (s.st_shndx >= sections_.size()) bad("a symbol of no section");
        const section& home = sections_[s.st_shndx];
        if (home.where == part::none) return nullptr;
        if (s.st_value > home.header.sh_size) bad("a symbol outside its section");
        return &home;
    }

    template <class F>
    void for_each_relocation(F f) {
        for (const section& s : sections_) {
            if (s.header.sh_type != SHT_RELA && s.header.sh_type != SHT_REL) continue;
            if (s.header.sh_info >= sections_.size()) bad("relocations of no section");
            const section& of = sections_[s.header.sh_info];
            if (of.where == part::none) continue;
            if (s.header.sh_type == SHT_REL || s.header.sh_entsize != sizeof(Elf64_Rela) ||
                of.header.sh_type == SHT_NOBITS || symbols_at_ == 0 || s.header.sh_link != symbols_at_)
                bad("relocations of " + std::string(of.name));
            const std::string_view table = contents_of(s);
            for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.size(); at += sizeof(Elf64_Rela))
                f(of, value_at<Elf64_Rela>(table, at));
        }
    }

    symbol& symbol_of(const Elf64_Rela& r) {
        const std::uint64_t n = ELF64_R_SYM(r.r_info);
        if (n >= symbols_.size()) bad("a relocation to no symbol");
        return symbols_[n];
    }

    /// What a relocation will ask for. Afterwards each is known to be one that there is, within its section.
    void note(const section& s, const Elf64_Rela& r) {
        const std::uint64_t type = ELF64_R_TYPE(r.r_info);
        if (type == R_X86_64_NONE) return;
        const std::uint64_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
        if (r.r_offset > s.header.sh_size || width > s.header.sh_size - r.r_offset) bad("a relocation outside its section");
        symbol& to = symbol_of(r);
        const int kind = ELF64_ST_TYPE(to.entry.st_info);
        if (kind == STT_TLS || kind == STT_GNU_IFUNC)
            bad(std::string(to.name) + " is thread-local or chosen when it is loaded");
        to.needs_value = true;
        if (goes_by_table(type)) {
            to.needs_address = true;
        } else if (type == R_X86_64_PLT32) {
            if (!to.in_mapping) to.needs_stub = to.needs_address = true;
        } else if (type == R_X86_64_PC32) {
            if (!to.in_mapping) bad(std::string(to.name) + " may be out of reach of the code that uses it");
        } else if (type != R_X86_64_64 && type != R_X86_64_PC64) {
            bad("a relocation of type " + std::to_string(type) + ", which code that lies anywhere does not have");
        }
    }

    void lay_out() {
        std::uint64_t at = 0;
        const auto place = [&](std::uint64_t size, std::uint64_t alignment) {
            at = round_up(at, alignment == 0 ? 1 : alignment);
            const std::uint64_t start = at;
            at += size;
            if (at > largest_image) bad("absurdly large");
            return start;
        };
        for (const part now : {part::code, part::constants, part::data}) {
            for (section& s : sections_)
                if (s.where == now) s.at = place(s.header.sh_size, s.header.sh_addralign);
            for (symbol& s : symbols_) {
                if (now == part::code && s.needs_stub) s.stub_at = place(stub_bytes, stub_bytes);
                if (now == part::constants && s.needs_address) s.address_at = place(address_bytes, address_bytes);
            }
            at = ends_[static_cast<int>(now)] = round_up(at, page);
        }
    }

    void map() {
        made_.reset(new loaded_object);
        const std::uint64_t size = ends_[static_cast<int>(part::data)];
        if (size == 0) bad("nothing in it");
        void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        made_->memory_ = static_cast<std::byte*>(memory);
        made_->size_ = size;
        for (const section& s : sections_) {
            if (s.where == part::none) continue;
            const std::string_view contents = contents_of(s);
            if (!contents.empty()) std::memcpy(made_->memory_ + s.at, contents.data(), contents.size());
        }
    }

    std::uint64_t address_of(std::uint64_t at) const { return reinterpret_cast<std::uint64_t>(made_->memory_) + at; }

    void find_values() {
        for (symbol& s : symbols_) {
            if (s.in_mapping)
                s.value = address_of(home_of(s.entry)->at + s.entry.st_value);
            else if (s.needs_value)
                s.value = outside_value(s);
        }
    }

    std::uint64_t outside_value(const symbol& s) const {
        if (s.entry.st_shndx == SHN_ABS) return s.entry.st_value;
        if (s.entry.st_shndx != SHN_UNDEF) bad(std::string(s.name) + " lies in what is not loaded");
        void* const found = s.name.empty() || !resolve_ ? nullptr : resolve_(s.name);
        if (!found && ELF64_ST_BIND(s.entry.st_info) != STB_WEAK)
            bad(s.name.empty() ? "a use of a symbol without a name"
                               : "it needs " + std::string(s.name) + ", which is not there");
        return reinterpret_cast<std::uint64_t>(found);
    }

    void write(std::uint64_t at, const void* from, std::size_t bytes) { std::memcpy(made_->memory_ + at, from, bytes); }
    void write_distance(std::uint64_t at, std::uint64_t distance) {
        const auto narrow = static_cast<std::int32_t>(distance);
        if (static_cast<std::uint64_t>(std::int64_t{narrow}) != distance) bad("a relocation that reaches too far");
        write(at, &narrow, sizeof narrow);
    }

    void apply(const section& s, const Elf64_Rela& r) {
        const std::uint64_t type = ELF64_R_TYPE(r.r_info);
        if (type == R_X86_64_NONE) return;
        const symbol& to = symbol_of(r);
        const std::uint64_t at = s.at + r.r_offset, here = address_of(at), more = static_cast<std::uint64_t>(r.r_addend);
        if (type == R_X86_64_64 || type == R_X86_64_PC64) {
            const std::uint64_t value = to.value + more - (type == R_X86_64_PC64 ? here : 0);
            return write(at, &value, sizeof value);
        }
        std::uint64_t value = to.value;
        if (goes_by_table(type)) value = address_of(to.address_at);
        if (type == R_X86_64_PLT32 && to.needs_stub && !to.in_mapping) value = address_of(to.stub_at);
        write_distance(at, value + more - here);
    }

    void write_tables() {
        for (const symbol& s : symbols_) {
            if (s.needs_address) write(s.address_at, &s.value, sizeof s.value);
            if (!s.needs_stub) continue;
            constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};  // jmp *distance(%rip)
            static_assert(sizeof jump == stub_bytes);
            write(s.stub_at, jump, sizeof jump);
            write_distance(s.stub_at + 2, s.address_at - (s.stub_at + 6));
        }
    }

    void protect() {
        std::uint64_t from = 0;
        for (const auto& [where, rights] :
             {std::pair(part::code, PROT_READ | PROT_EXEC), std::pair(part::constants, PROT_READ)}) {
            const std::uint64_t end = ends_[static_cast<int>(where)];
            if (end > from && ::mprotect(made_->memory_ + from, end - from, rights) != 0) {
                if (errno == ENOMEM) throw std::bad_alloc();
                throw compile_error(std::string("cpu engine jit: the system refuses to make memory executable: ") +
                                    std::strerror(errno));
            }
            from = end;
        }
    }

    void export_symbols() {
        for (const symbol& s : symbols_) {
            const int bind = ELF64_ST_BIND(s.entry.st_info), kind = ELF64_ST_TYPE(s.entry.st_info);
            if (!s.in_mapping || s.name.empty() || (bind != STB_GLOBAL && bind != STB_WEAK)) continue;
            if (kind == STT_FUNC || kind == STT_OBJECT || kind == STT_NOTYPE)
                made_->symbols_.emplace(s.name, reinterpret_cast<void*>(s.value));
        }
    }

    std::string_view bytes_;
    const std::function<void*(std::string_view)>& resolve_;
    std::vector<section> sections_;
    std::vector<symbol> symbols_;
    std::size_t symbols_at_ = 0;
    std::uint64_t ends_[4] = {};  ///< of each part in the mapping
    std::unique_ptr<loaded_object> made_;
};

std::unique_ptr<loaded_object> loaded_object::load(std::string_view bytes,
                                                   const std::function<void*(std::string_view)>& resolve) {
#if defined(__x86_64__)
    return object_loader(bytes, resolve).run();
#else
    static_cast<void>(bytes);
    static_cast<void>(resolve);
    bad("objects are loaded on x86-64 alone");
#endif
}

loaded_object::~loaded_object() {
    if (memory_) ::munmap(memory_, size_);
}

void* loaded_object::find(std::string_view symbol) const noexcept {
    const auto at = symbols_.find(symbol);
    return at == symbols_.end() ? nullptr : at->second;
}

}  // namespace frit::v0::detail
