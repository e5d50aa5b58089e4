#pragma once

// Streams of one instruction: it comes to the lines of several regions of the memory in order, by turns, as
// x[column[i]] does for a matrix with a few diagonals. Processors prefetch such lines, some pages at once.

#include <pub_tool_basics.h>

enum { most_streams = 16 };  // as many as the prefetchers of cores follow

typedef struct Streams Streams;

// Whether the instruction comes to this line in order, among those of the same thread. `streams`: NULL at
// first. A region has 1 << `shift` lines.
Bool streams_follow(Streams** streams, UInt thread, UWord line, UInt shift);
