#pragma once

// The ten loops whose flops and bytes are known, on `n` elements (gemm: n x n matrices). They are compiled
// from loops.S and from loops.c, for every ISA and precision: the build defines REAL.

typedef void loop(long n, const REAL* a, const REAL* b, REAL* c, const long* index);

#define LOOPS(x) x(copy) x(scale) x(add) x(triad) x(dot) x(gemm) x(axpy) x(divide) x(integer) x(gather)

#define DECLARE(name) loop name##_loop;
LOOPS(DECLARE)
#undef DECLARE
