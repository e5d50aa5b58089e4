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

UWord fma_packed(const Fma* fma) {
  return fma->to | fma->second << 4 | fma->third << 8 | fma->is_memory << 12 | fma->is_double << 13 |
         fma->is_256 << 14 | fma->opcode << 16;
}

static Fma unpacked(UWord packed) {
  return (Fma){.to = packed & 15,
               .second = packed >> 4 & 15,
               .third = packed >> 8 & 15,
               .is_memory = packed >> 12 & 1,
               .is_double = packed >> 13 & 1,
               .is_256 = packed >> 14 & 1,
               .opcode = packed >> 16};
}

#define WITH_FMA __attribute__((target("avx,fma")))

// a * b + c and its like, by the low half of the opcode.
WITH_FMA static __m128d doubles(UInt operation, __m128d a, __m128d b, __m128d c) {
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

WITH_FMA static __m128 singles(UInt operation, __m128 a, __m128 b, __m128 c) {
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

WITH_FMA static Half load(const UChar* from, const Fma* fma) {
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
WITH_FMA static Half compute(const Fma* fma, Half first, Half second, Half third) {
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
WITH_FMA static void store(UChar* to, const Fma* fma, Half result) {
  if (!fma_is_scalar(fma)) {
    _mm_storeu_si128((__m128i*)to, result.bits);
  } else if (fma->is_double) {
    _mm_store_sd((double*)to, result.doubles);
  } else {
    _mm_store_ss((float*)to, result.singles);
  }
}

// VEX writes registers in halves, and a load that spans two recent stores is slow, so all work is done in
// halves.
WITH_FMA VG_REGPARM(3) void fma_call(GuestState* guest, UWord packed, Addr memory) {
  enum { half_bytes = 16, register_bytes = 32 };
  const Fma fma = unpacked(packed);
  UChar* const registers = (UChar*)&guest->guest_YMM0;
  UChar* const to = registers + register_bytes * fma.to;
  const UChar* const second = registers + register_bytes * fma.second;
  const UChar* const third = fma.is_memory ? (const UChar*)memory : registers + register_bytes * fma.third;
  for (UInt at = 0; at < (fma.is_256 ? register_bytes : half_bytes); at += half_bytes) {
    const Half result = compute(&fma, load(to + at, &fma), load(second + at, &fma), load(third + at, &fma));
    store(to + at, &fma, result);
  }
  if (!fma.is_256) _mm_storeu_si128((__m128i*)(to + half_bytes), _mm_setzero_si128());
}
