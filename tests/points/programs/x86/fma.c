// Every form of a fused multiply-add, with operands in registers and in memory, and with the result over each
// operand. Writes the bits of all results to the file that is named.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  _Alignas(32) uint8_t of[3][32];
} Registers;

static FILE* out;

static void print(const Registers* registers) {
  for (int i = 0; i < 32; ++i) fprintf(out, "%02x", registers->of[0][i]);
  fputc('\n', out);
}

// ymm0 = result and first operand, ymm1 and ymm2 or memory.
#define RUN(instruction, operands)                                                                       \
  do {                                                                                                   \
    Registers registers = given;                                                                         \
    __asm__ volatile("vmovdqa (%0), %%ymm0; vmovdqa 32(%0), %%ymm1; vmovdqa 64(%0), %%ymm2;" instruction \
                     " " operands "; vmovdqa %%ymm0, (%0)" ::"r"(&registers)                             \
                     : "memory", "xmm0", "xmm1", "xmm2");                                                \
    print(&registers);                                                                                   \
  } while (0)

#define PLACES(instruction, r)                      \
  RUN(instruction, "%%" r "2, %%" r "1, %%" r "0"); \
  RUN(instruction, "%%" r "0, %%" r "1, %%" r "0"); \
  RUN(instruction, "%%" r "1, %%" r "1, %%" r "0"); \
  RUN(instruction, "%%" r "0, %%" r "0, %%" r "0"); \
  RUN(instruction, "32(%0), %%" r "2, %%" r "0")

#define ORDERS(operation, suffix, r) \
  PLACES(operation "132" suffix, r); \
  PLACES(operation "213" suffix, r); \
  PLACES(operation "231" suffix, r)

#define PACKED(operation)         \
  ORDERS(operation, "pd", "ymm"); \
  ORDERS(operation, "ps", "ymm"); \
  ORDERS(operation, "pd", "xmm"); \
  ORDERS(operation, "ps", "xmm")

#define ALL(operation)            \
  PACKED(operation);              \
  ORDERS(operation, "sd", "xmm"); \
  ORDERS(operation, "ss", "xmm")

// Several in a row, so that results are operands of the next and lie in halves of registers.
static void chain(const Registers* numbers) {
  Registers given = *numbers;
  __asm__ volatile(
      "vmovdqa (%0), %%ymm0; vmovdqa 32(%0), %%ymm1; vmovdqa 64(%0), %%ymm2;"
      "vfmadd231pd %%ymm1, %%ymm2, %%ymm0; vfnmadd213pd %%ymm0, %%ymm1, %%ymm2; vfmsub132pd 32(%0), %%ymm2, "
      "%%ymm0;"
      "vfmadd231sd %%xmm1, %%xmm2, %%xmm0; vaddpd %%ymm0, %%ymm1, %%ymm1; vfmadd231pd %%ymm1, %%ymm1, %%ymm0;"
      "vunpckhpd %%xmm1, %%xmm0, %%xmm2; vfmadd213pd %%ymm0, %%ymm2, %%ymm1; vfmadd231ps %%xmm2, %%xmm1, "
      "%%xmm0;"
      "vmovdqa %%ymm0, (%0); vmovdqa %%ymm1, 32(%0); vmovdqa %%ymm2, 64(%0)" ::"r"(&given)
      : "memory", "xmm0", "xmm1", "xmm2");
  print(&given);
}

static void run(const Registers* numbers) {
  const Registers given = *numbers;
  ALL("vfmadd");
  ALL("vfmsub");
  ALL("vfnmadd");
  ALL("vfnmsub");
  PACKED("vfmaddsub");
  PACKED("vfmsubadd");
  chain(&given);
}

int main(int count, char** arguments) {
  if (count != 2 || !(out = fopen(arguments[1], "w"))) return 2;
  Registers given;
  const double numbers[12] = {1.1,   -2.3, 3.7e150, 4.5e-150, -0.0,   7.25,
                              1e308, 0.1,  -3.3,    0.0,      5e-324, 2.0 / 3};
  memcpy(&given, numbers, sizeof given);
  run(&given);
  const float singles[24] = {1.1f,  -2.3f, 3e30f,  4e-30f, -0.0f, 7.25f, 3e38f,  0.1f,
                             -3.3f, 0.0f,  1e-45f, 0.67f,  9.87f, 1e-3f, 2e-38f, 5.5f,
                             -1e9f, 33.3f, 6e-7f,  8.8f,   2.2f,  -4.4f, 1e20f,  0.3f};
  memcpy(&given, singles, sizeof given);
  run(&given);
  return fclose(out) != 0;
}
