#pragma once

// What a thread executes while it waits in a loop.

namespace gable::bench {

/// Tells the core (and an emulator) that this thread waits for another one.
void relax();

}  // namespace gable::bench
