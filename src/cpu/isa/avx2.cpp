// The interpreter's loops for AVX2 and FMA (x86-64-v3); cmake/frit_cpu.cmake has the flags.
#define FRIT_ISA avx2
#define FRIT_VECTOR_BYTES 32
#include "src/cpu/isa/loops.inc"
