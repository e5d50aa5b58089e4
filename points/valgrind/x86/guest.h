#pragma once

// What VEX calls the registers of a counted program, and where its ABI or VEX's operations differ.

#include <pub_tool_basics.h>

#include <libvex_guest_amd64.h>

typedef VexGuestAMD64State GuestState;
enum { redzone = 128 };                               // System V ABI, AMD64 supplement, section 3.2.2
enum { argument = offsetof(GuestState, guest_RDI) };  // of a function, the first
#define F64_SHAPE X87  // except for FMA, operations on plain F64 come only from the x87
