#pragma once

// The objects of a program: what its accesses reach. Heap blocks are one object for each chain of callers
// that allocates them.

#include <pub_tool_basics.h>
#include <pub_tool_execontext.h>

typedef enum { HEAP, MAPPING, STATIC, STACK, FILE_MAPPING, OTHER, OBJECT_KINDS } ObjectKind;

typedef struct {
  ObjectKind kind;
  ExeContext* callers;  // of an allocation or a mapping; otherwise NULL
  const HChar* name;    // of a symbol; otherwise NULL
  const HChar* image;   // program or library of a symbol, or the file that is mapped; otherwise NULL
  UInt number;
  ULong blocks;  // allocated so far
  ULong bytes, peak_bytes;
  ULong first, last;  // when the first block was allocated and the last one freed, in milliseconds
  Bool is_alive;
  Bool is_thread_local;  // it has variables of threads, besides their stacks
} Object;

// Part of an object, in which `object_at` finds it again.
typedef struct {
  Addr begin, end;
  Object* object;
} Extent;

void objects_initialize(void);
// Restarts the counts in a child after fork(), which has this thread alone; what lives goes on.
void objects_forget(ThreadId thread);

// The life of a thread's stack.
void object_stack_begins(ThreadId thread);
void object_stack_ends(ThreadId thread);

void object_allocated(Addr address, SizeT bytes, ExeContext* callers);
// Returns the size of the block; 0: none begins there.
SizeT object_freed(Addr address);
void object_mapped(Addr address, SizeT bytes, ExeContext* callers);
void object_moved(Addr from, Addr to, SizeT bytes);
void object_unmapped(Addr address, SizeT bytes);

// Changes whenever an extent that `extent_at` returned may no longer hold.
extern ULong extents_version;

// What this address of the running thread belongs to.
Extent extent_at(ThreadId thread, Addr address);

Word objects_count(void);
const Object* object_at(Word index);
