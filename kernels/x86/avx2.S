// AVX2 with FMA: 32-byte vectors, 16 registers.

#define ISA avx2
#define VECTOR_BYTES 32
#define ISA_FEATURES FEATURE_AVX2
#define MULTIPLY_ADD_FEATURES FEATURE_FMA
#define ACCUMULATORS 12
#define V ymm
#define V_XOR vxorpd

#include "kernels/x86/avx.inc"
