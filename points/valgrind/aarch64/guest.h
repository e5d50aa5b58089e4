#pragma once

// What VEX calls the registers of a counted program, and where its ABI or VEX's operations differ.

#include <pub_tool_basics.h>

#include <libvex_guest_arm64.h>

typedef VexGuestARM64State GuestState;
#define GUEST_ARCHITECTURE VexArchARM64
#define GUEST_SPECIALIZE guest_arm64_spechelper
#define GUEST_IS_PRECISE guest_arm64_state_requires_precise_mem_exns
enum { redzone = 0 };                                // AAPCS64, section 6.4.5
enum { argument = offsetof(GuestState, guest_X0) };  // of a function, the first
#define F64_SHAPE DP_SCALAR
enum { first_register = offsetof(GuestState, guest_X0), registers = 32 };
enum { thread_pointer = offsetof(GuestState, guest_TPIDR_EL0) };  // its thread's variables lie around it
enum { stack_pointer = offsetof(GuestState, guest_XSP) };
enum { flags = offsetof(GuestState, guest_CC_OP) };  // how they are computed; 0: by copying other flags
enum { first_vector = offsetof(GuestState, guest_Q0), vectors = 32, vector_bytes = 16 };

// Functions by which VEX executes instructions that a core's multiplier executes, by the begin of their
// names.
static const HChar* const multiplier_calls[] = {"arm64g_calc_crc32"};

static inline Addr guest_stack(const GuestState* guest) {
  return guest->guest_XSP;
}

static inline UWord guest_result(const GuestState* guest) {
  return guest->guest_X0;
}

static inline void guest_call(const GuestState* guest, Addr* stack, Addr* target, UWord arguments[4]) {
  *stack = guest->guest_XSP;
  *target = guest->guest_X30;
  arguments[0] = guest->guest_X0;
  arguments[1] = guest->guest_X1;
  arguments[2] = guest->guest_X2;
  arguments[3] = guest->guest_X3;
}
