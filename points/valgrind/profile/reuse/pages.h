#pragma once

// Uses of pages: reuse distances in pages, for the TLBs, and who uses which page.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/records.h"
#include "points/valgrind/profile/reuse/recency.h"
#include "points/valgrind/profile/reuse/sampling.h"

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

// A thread's pages of 4 KiB and of 2 MiB.
typedef struct {
  Recency* of[2];
  Page* last;
  UInt user;  // among those of the page
} PagesOfThread;

extern PagesOfThread* pages_of_running;  // the running thread's

// Adds an access to the page that the running thread used last, and returns True; False if it is another
// page.
static inline Bool pages_add_to_last(Addr address, Bool is_write) {
  const Page* const page = pages_of_running->last;
  if (!page || page->page != address >> page_shift) return False;
  PageUser* const user = &page->users[pages_of_running->user];
  if (is_write) {
    ++user->writes;
  } else {
    ++user->reads;
  }
  return True;
}

// Keeps only what is still followed after the threshold has fallen.
void pages_keep_followed(void);

Word pages_count(void);
const Page* page_at(Word index);
