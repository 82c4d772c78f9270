// The interpreter's loops for AVX-512 F, BW, DQ and VL (x86-64-v4); cmake/frit_cpu.cmake has the flags.
#define FRIT_ISA avx512
#define FRIT_VECTOR_BYTES 64
#include "src/cpu/isa/loops.inc"
