#include "points/valgrind/profile/streams.h"

#include <pub_tool_mallocfree.h>

typedef struct {
  UWord line;      // the latest
  Word direction;  // 1, -1; 0: not known
} Stream;

struct Streams {
  Streams* next;  // of another thread
  UInt thread;
  UInt count;  // that ever began
  Stream of[most_streams];
};

// Those of the thread, first in the list from now on.
static Streams* streams_of(Streams** first, UInt thread) {
  Streams** link = first;
  while (*link && (*link)->thread != thread) link = &(*link)->next;
  Streams* found = *link;
  if (found) {
    *link = found->next;
  } else {
    found = VG_(calloc)("gable.streams", 1, sizeof *found);
    found->thread = thread;
  }
  found->next = *first;
  *first = found;
  return found;
}

// Whether the line is in the stream's region, or in the next one that the stream comes to, less than a region
// away.
static Bool is_of(const Stream* stream, UWord line, UInt shift) {
  const Word away = (Word)(line >> shift) - (Word)(stream->line >> shift);
  const Word step = (Word)(line - stream->line), region = 1L << shift;
  return away == 0 ||
         (stream->direction != 0 && away == stream->direction && step > -region && step < region);
}

Bool streams_follow(Streams** streams, UInt thread, UWord line, UInt shift) {
  Streams* const own = streams_of(streams, thread);
  const UInt begun = own->count < most_streams ? own->count : most_streams;
  for (UInt i = 0; i < begun; ++i) {
    Stream* const stream = &own->of[i];
    if (!is_of(stream, line, shift)) continue;
    const Word before = stream->direction, step = (Word)(line - stream->line);
    if (step != 0) stream->direction = step > 0 ? 1 : -1;
    stream->line = line;
    return before == 0 || step == 0 || stream->direction == before;
  }
  own->of[own->count++ % most_streams] = (Stream){.line = line};
  return False;
}
