#pragma once

// Lets other threads of the process use the CPU. Valgrind's core has no such function for tools.

#include <pub_tool_basics.h>
#include <pub_tool_vkiscnums.h>

static inline void yield_cpu(void) {
  register Long number __asm__("x8") = __NR_sched_yield;
  register Long result __asm__("x0");
  __asm__ volatile("svc 0" : "=r"(result) : "r"(number) : "memory");
}
