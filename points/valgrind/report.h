#pragma once

// The file of counts: one JSON document for every program image of every process (docs/programs/counters.md).

#include <pub_tool_basics.h>

#define REPORT_OPTION "--counts"  // the last option before the program

// How often the process asked for the time, and set a timer: one that works for a given time does.
extern ULong report_clock_reads;
extern ULong report_timers;

extern const HChar* report_prefix;  // absolute path; the files are PREFIX.PID.N, N from 0

// Takes the next free name. The file stays empty until report_write, so an empty file indicates a process
// that was killed. Also called in a child after fork(). Returns N.
UInt report_reserve(void);

typedef enum { ENDED, REPLACED } Ending;  // REPLACED: by execve; if that fails the file is written again

void report_write(Ending ending);
