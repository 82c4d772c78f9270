// The interpreter's loops for what every machine of the architecture has (x86-64: SSE2); cmake/frit_cpu.cmake has the flags.
#define FRIT_ISA baseline
#define FRIT_VECTOR_BYTES 16
#include "src/cpu/isa/loops.inc"
