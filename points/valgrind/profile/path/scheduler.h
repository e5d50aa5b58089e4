#pragma once

// The operations that wait for their inputs. A core keeps them in schedulers, which have room for fewer than
// its window has: chains side by side fill them, since each has many operations that wait.

#include "points/valgrind/profile/path/ready.h"

void scheduler_restart(void);

// Returns when the next operation may enter: as soon as one of the others has started, if they take all of
// the room. NULL: at any time.
const Ready* scheduler_entry(void);

// An operation that starts then has entered.
void scheduler_enter(const Ready* start);
