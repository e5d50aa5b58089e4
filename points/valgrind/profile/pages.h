#pragma once

// Uses of pages: reuse distances in pages, for the TLBs, and who uses which page.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/records.h"

// A thread's accesses to a followed page.
typedef struct {
  UInt thread;
  ULong reads, writes;
} PageUser;

typedef struct {
  UWord page;
  Object* object;
  PageUser* users;
  UInt user_count;
} Page;

void pages_begin(void);
void pages_forget_all(void);

void pages_switch(UInt number);  // another thread runs now

void pages_add(Record* record, Addr address, Bool is_write);

// Adds an access to the page that the running thread used last, and returns True; False if it was another
// page.
Bool pages_add_to_last(Addr address, Bool is_write);

// Keeps only what is still followed after the threshold has fallen.
void pages_keep_followed(void);

Word pages_count(void);
const Page* page_at(Word index);
