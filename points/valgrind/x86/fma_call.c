#include "points/valgrind/x86/fma_call.h"

#include <cpuid.h>
#include <immintrin.h>
#include <pub_tool_libcbase.h>

// Intel SDM volume 1, section 14.5.3: FMA, and a system that saves the vector registers.
static Bool detect(void) {
  UInt a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_FMA) || !(c & bit_OSXSAVE)) return False;
  UInt low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
}

Bool cpu_has_fma(void) {
  static Int known = -1;
  if (known < 0) known = detect();
  return known;
}

// Each kind of instruction has a function of its own, in which all of these are inline and know its opcode.
#define WITH_FMA __attribute__((target("avx,fma")))
#define INLINE WITH_FMA __attribute__((always_inline)) static inline

// a * b + c and its like, by the low half of the opcode.
INLINE __m128d doubles(UInt operation, __m128d a, __m128d b, __m128d c) {
  switch (operation) {
    case 6:
      return _mm_fmaddsub_pd(a, b, c);
    case 7:
      return _mm_fmsubadd_pd(a, b, c);
    case 8:
      return _mm_fmadd_pd(a, b, c);
    case 9:
      return _mm_fmadd_sd(a, b, c);
    case 10:
      return _mm_fmsub_pd(a, b, c);
    case 11:
      return _mm_fmsub_sd(a, b, c);
    case 12:
      return _mm_fnmadd_pd(a, b, c);
    case 13:
      return _mm_fnmadd_sd(a, b, c);
    case 14:
      return _mm_fnmsub_pd(a, b, c);
    default:
      return _mm_fnmsub_sd(a, b, c);
  }
}

INLINE __m128 singles(UInt operation, __m128 a, __m128 b, __m128 c) {
  switch (operation) {
    case 6:
      return _mm_fmaddsub_ps(a, b, c);
    case 7:
      return _mm_fmsubadd_ps(a, b, c);
    case 8:
      return _mm_fmadd_ps(a, b, c);
    case 9:
      return _mm_fmadd_ss(a, b, c);
    case 10:
      return _mm_fmsub_ps(a, b, c);
    case 11:
      return _mm_fmsub_ss(a, b, c);
    case 12:
      return _mm_fnmadd_ps(a, b, c);
    case 13:
      return _mm_fnmadd_ss(a, b, c);
    case 14:
      return _mm_fnmsub_ps(a, b, c);
    default:
      return _mm_fnmsub_ss(a, b, c);
  }
}

typedef union {
  __m128i bits;
  __m128d doubles;
  __m128 singles;
} Half;

INLINE Half load(const UChar* from, const Fma* fma) {
  Half half = {.bits = _mm_setzero_si128()};
  if (!fma_is_scalar(fma)) {
    half.bits = _mm_loadu_si128((const __m128i*)from);
  } else if (fma->is_double) {
    half.doubles = _mm_load_sd((const double*)from);
  } else {
    half.singles = _mm_load_ss((const float*)from);
  }
  return half;
}

// The operands of 132, 213 and 231, which are the high half of the opcode.
INLINE Half compute(const Fma* fma, Half first, Half second, Half third) {
  const UInt order = fma->opcode >> 4;
  const Half a = order == 9 ? first : second;
  const Half b = order == 10 ? first : third;
  const Half c = order == 9 ? second : order == 10 ? third : first;
  Half result;
  if (fma->is_double) {
    result.doubles = doubles(fma->opcode & 15, a.doubles, b.doubles, c.doubles);
  } else {
    result.singles = singles(fma->opcode & 15, a.singles, b.singles, c.singles);
  }
  return result;
}

// A scalar instruction keeps the rest of the lower half.
INLINE void store(UChar* to, const Fma* fma, Half result) {
  if (!fma_is_scalar(fma)) {
    _mm_storeu_si128((__m128i*)to, result.bits);
  } else if (fma->is_double) {
    _mm_store_sd((double*)to, result.doubles);
  } else {
    _mm_store_ss((float*)to, result.singles);
  }
}

enum { half_bytes = 16, register_bytes = 32 };

// VEX writes registers in halves, and a load that spans two recent stores is slow, so all work is done in
// halves.
INLINE void work(const Fma* fma, GuestState* guest, UWord packed, Addr memory) {
  UChar* const registers = (UChar*)&guest->guest_YMM0;
  UChar* const to = registers + (packed & 0xffff);
  const UChar* const second = registers + (packed >> 16 & 0xffff);
  const UChar* const third = memory ? (const UChar*)memory : registers + (packed >> 32);
  for (UInt at = 0; at < (fma->is_256 ? register_bytes : half_bytes); at += half_bytes) {
    const Half result = compute(fma, load(to + at, fma), load(second + at, fma), load(third + at, fma));
    store(to + at, fma, result);
  }
  if (!fma->is_256) _mm_storeu_si128((__m128i*)(to + half_bytes), _mm_setzero_si128());
}

#define CALL(opcode_, is_double_, is_256_)                                                                   \
  WITH_FMA static VG_REGPARM(3) void call_##opcode_##_##is_double_##is_256_(GuestState* guest, UWord packed, \
                                                                            Addr memory) {                   \
    const Fma fma = {.opcode = 0x##opcode_, .is_double = is_double_, .is_256 = is_256_};                     \
    work(&fma, guest, packed, memory);                                                                       \
  }
#define CALLS_OF(opcode) CALL(opcode, 0, 0) CALL(opcode, 0, 1) CALL(opcode, 1, 0) CALL(opcode, 1, 1)
#define NAMES_OF(opcode) {{call_##opcode##_00, call_##opcode##_01}, {call_##opcode##_10, call_##opcode##_11}},
#define OF_ORDER(order, what)                                                                              \
  what(order##6) what(order##7) what(order##8) what(order##9) what(order##a) what(order##b) what(order##c) \
      what(order##d) what(order##e) what(order##f)

OF_ORDER(9, CALLS_OF)
OF_ORDER(a, CALLS_OF)
OF_ORDER(b, CALLS_OF)

FmaCall fma_call_of(const Fma* fma) {
  static const FmaCall calls[3][10][2][2] = {
      {OF_ORDER(9, NAMES_OF)}, {OF_ORDER(a, NAMES_OF)}, {OF_ORDER(b, NAMES_OF)}};
  return calls[(fma->opcode >> 4) - 9][(fma->opcode & 15) - 6][fma->is_double][fma->is_256];
}

UWord fma_packed(const Fma* fma) {
  return register_bytes * (fma->to | (UWord)fma->second << 16 | (UWord)fma->third << 32);
}
