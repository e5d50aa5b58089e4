#pragma once

// What VEX calls the registers of a counted program, and where its ABI or VEX's operations differ.

#include <pub_tool_basics.h>

#include <libvex_guest_arm64.h>

typedef VexGuestARM64State GuestState;
enum { redzone = 0 };                                // AAPCS64, section 6.4.5
enum { argument = offsetof(GuestState, guest_X0) };  // of a function, the first
#define F64_SHAPE DP_SCALAR
