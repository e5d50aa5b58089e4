#pragma once

// What a thread executes while it waits in a loop.

namespace gable::bench {

/// Tells the core (and an emulator) that this thread waits for another one.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace gable::bench
