// AVX-512: 64-byte vectors, 32 registers, FMA.

#define ISA avx512
#define VECTOR_BYTES 64
#define ISA_FEATURES FEATURE_AVX512F
#define MULTIPLY_ADD_FEATURES 0
#define ACCUMULATORS 24
#define V zmm
#define V_XOR vpxorq

#include "kernels/x86/avx.inc"
