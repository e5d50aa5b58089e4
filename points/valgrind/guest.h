#pragma once

// What VEX calls the registers of a counted program, and where its ABI or VEX's operations differ.

#include <pub_tool_basics.h>

#if defined(VGA_amd64)
#include <libvex_guest_amd64.h>
typedef VexGuestAMD64State GuestState;
enum { redzone = 128 };                               // System V ABI, AMD64 supplement, section 3.2.2
enum { argument = offsetof(GuestState, guest_RDI) };  // of a function, the first
#define F64_SHAPE X87  // except for FMA, operations on plain F64 come only from the x87
#elif defined(VGA_arm64)
#include <libvex_guest_arm64.h>
typedef VexGuestARM64State GuestState;
enum { redzone = 0 };  // AAPCS64, section 6.4.5
enum { argument = offsetof(GuestState, guest_X0) };
#define F64_SHAPE DP_SCALAR
#endif
