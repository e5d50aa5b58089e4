#pragma once

// Lets other threads of the process use the CPU. Valgrind's core has no such function for tools.

#include <pub_tool_basics.h>
#include <pub_tool_vkiscnums.h>

static inline void yield_cpu(void) {
  Long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"((Long)__NR_sched_yield) : "rcx", "r11", "memory");
}
