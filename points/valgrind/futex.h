#pragma once

// What the operations of futex(2) do to threads.

#include <pub_tool_basics.h>
#include <pub_tool_vki.h>

static inline UWord futex_without_flags(UWord operation) {
  return operation & ~(UWord)(VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME);
}

// The calling thread waits until another one wakes it.
static inline Bool futex_waits(UWord operation) {
  switch (futex_without_flags(operation)) {
    case VKI_FUTEX_WAIT:
    case VKI_FUTEX_WAIT_BITSET:
    case VKI_FUTEX_WAIT_REQUEUE_PI:
    case VKI_FUTEX_LOCK_PI:
      return True;
    default:
      return False;
  }
}

// The calling thread wakes others, and the result is how many.
static inline Bool futex_wakes(UWord operation) {
  switch (futex_without_flags(operation)) {
    case VKI_FUTEX_WAKE:
    case VKI_FUTEX_WAKE_BITSET:
    case VKI_FUTEX_WAKE_OP:
      return True;
    default:
      return False;
  }
}

// The calling thread lets others go on, now or when they have got a lock.
static inline Bool futex_lets_go(UWord operation) {
  switch (futex_without_flags(operation)) {
    case VKI_FUTEX_REQUEUE:
    case VKI_FUTEX_CMP_REQUEUE:
    case VKI_FUTEX_CMP_REQUEUE_PI:
    case VKI_FUTEX_UNLOCK_PI:
      return True;
    default:
      return futex_wakes(operation);
  }
}
