#include "points/valgrind/profile/streams.h"

#include <pub_tool_mallocfree.h>

enum { most_streams = 16 };  // as many as the prefetchers of cores follow

typedef struct {
  UWord line;      // the latest
  Word direction;  // 1, -1; 0: not known
} Stream;

struct Streams {
  UInt count;  // that ever began
  Stream of[most_streams];
};

// Whether the line is in the stream's region, or in the next one that the stream comes to.
static Bool is_of(const Stream* stream, UWord line, UInt shift) {
  const Word away = (Word)(line >> shift) - (Word)(stream->line >> shift);
  return away == 0 || (stream->direction != 0 && away == stream->direction);
}

Bool streams_follow(Streams** streams, UWord line, UInt shift) {
  if (!*streams) *streams = VG_(calloc)("gable.streams", 1, sizeof **streams);
  const UInt begun = (*streams)->count < most_streams ? (*streams)->count : most_streams;
  for (UInt i = 0; i < begun; ++i) {
    Stream* const stream = &(*streams)->of[i];
    if (!is_of(stream, line, shift)) continue;
    const Word before = stream->direction, step = (Word)(line - stream->line);
    if (step != 0) stream->direction = step > 0 ? 1 : -1;
    stream->line = line;
    return before == 0 || step == 0 || stream->direction == before;
  }
  (*streams)->of[(*streams)->count++ % most_streams] = (Stream){.line = line};
  return False;
}
