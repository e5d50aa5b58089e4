#pragma once

// What VEX calls the registers of a counted program, and where its ABI or VEX's operations differ.

#include <pub_tool_basics.h>

#include <libvex_guest_amd64.h>

typedef VexGuestAMD64State GuestState;
#define GUEST_ARCHITECTURE VexArchAMD64
#define GUEST_SPECIALIZE guest_amd64_spechelper
#define GUEST_IS_PRECISE guest_amd64_state_requires_precise_mem_exns
enum { redzone = 128 };                               // System V ABI, AMD64 supplement, section 3.2.2
enum { argument = offsetof(GuestState, guest_RDI) };  // of a function, the first
#define F64_SHAPE X87  // except for FMA, operations on plain F64 come only from the x87
enum { first_register = offsetof(GuestState, guest_RAX), registers = 16 };  // for integers and addresses
enum { thread_pointer = offsetof(GuestState, guest_FS_CONST) };  // its thread's variables lie around it
enum { stack_pointer = offsetof(GuestState, guest_RSP) };
enum { flags = offsetof(GuestState, guest_CC_OP) };  // how they are computed; 0: by copying other flags
enum { first_vector = offsetof(GuestState, guest_YMM0), vectors = 16, vector_bytes = 32 };

// Functions by which VEX executes instructions that a core's multiplier executes, by the begin of their
// names.
static const HChar* const multiplier_calls[] = {"amd64g_calc_crc32", "amd64g_calculate_pdep",
                                                "amd64g_calculate_pext", "amd64g_calculate_pclmul"};

static inline Addr guest_stack(const GuestState* guest) {
  return guest->guest_RSP;
}

static inline UWord guest_result(const GuestState* guest) {
  return guest->guest_RAX;
}

// Reads, at the first instruction of a function, the stack pointer and the program counter after its return,
// and its first four arguments.
static inline void guest_call(const GuestState* guest, Addr* stack, Addr* target, UWord arguments[4]) {
  *stack = guest->guest_RSP + sizeof(Addr);
  *target = *(Addr*)guest->guest_RSP;
  arguments[0] = guest->guest_RDI;
  arguments[1] = guest->guest_RSI;
  arguments[2] = guest->guest_RDX;
  arguments[3] = guest->guest_RCX;
}
