#include "points/valgrind/profile/reuse/pages.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>
#include <pub_tool_xarray.h>

typedef struct {
  UWord number;
  Page* page;
} Entry;

PagesOfThread* pages_of_running;

static XArray* threads;  // PagesOfThread*, by number
static UInt whose;
static OSet* by_number;    // Entry
static XArray* pages;      // Page*
static Page* recent[256];  // by the lowest bits of their numbers; NULL: not known

static PagesOfThread* uses_of(UInt thread) {
  while (VG_(sizeXA)(threads) <= (Word)thread) {
    PagesOfThread* const made = VG_(calloc)("gable.pages", 1, sizeof *made);
    for (UInt i = 0; i < 2; ++i) made->of[i] = recency_new(lines_at_first);
    VG_(addToXA)(threads, &made);
  }
  return *(PagesOfThread**)VG_(indexXA)(threads, thread);
}

void pages_switch(UInt number) {
  whose = number;
  pages_of_running = uses_of(whose);
}

void pages_begin(void) {
  threads = VG_(newXA)(VG_(malloc), "gable.pages", VG_(free), sizeof(PagesOfThread*));
  by_number = VG_(OSetGen_Create)(offsetof(Entry, number), NULL, VG_(malloc), "gable.pages", VG_(free));
  pages = VG_(newXA)(VG_(malloc), "gable.pages", VG_(free), sizeof(Page*));
  VG_(memset)(recent, 0, sizeof recent);
  pages_switch(0);
}

static void free_page(Page* page) {
  VG_(free)(page->users);
  VG_(free)(page);
}

void pages_forget_all(void) {
  for (Word i = 0; i < VG_(sizeXA)(threads); ++i) {
    PagesOfThread* const uses = uses_of(i);
    recency_free(uses->of[0]);
    recency_free(uses->of[1]);
    VG_(free)(uses);
  }
  for (Word i = 0; i < pages_count(); ++i) free_page((Page*)page_at(i));
  VG_(deleteXA)(threads);
  VG_(deleteXA)(pages);
  VG_(OSetGen_Destroy)(by_number);
  pages_begin();
}

static Page* find_page(UWord number, Object* object) {
  Entry* known = VG_(OSetGen_Lookup)(by_number, &number);
  if (known) return known->page;
  known = VG_(OSetGen_AllocNode)(by_number, sizeof *known);
  known->number = number;
  known->page = VG_(calloc)("gable.page", 1, sizeof(Page));
  known->page->page = number;
  known->page->object = object;
  VG_(OSetGen_Insert)(by_number, known);
  VG_(addToXA)(pages, &known->page);
  return known->page;
}

static Page* page_of(UWord number, Object* object) {
  Page** const slot = &recent[number % (sizeof recent / sizeof *recent)];
  if (!*slot || (*slot)->page != number) *slot = find_page(number, object);
  return *slot;
}

static UInt user_of(Page* page, UInt thread) {
  UInt i = 0;
  while (i < page->user_count && page->users[i].thread != thread) ++i;
  if (i == page->user_count) {
    page->users = VG_(realloc)("gable.users", page->users, (i + 1) * sizeof *page->users);
    page->users[page->user_count++] = (PageUser){.thread = thread};
  }
  return i;
}

static void add(Record* record, UInt huge, Recency* recency, UWord number, double lines) {
  Long between;
  recency_use(recency, number, &between);
  const UInt bucket = between < 0 ? NEVER : bucket_of(between ? (between + 0.5) * lines - 0.5 : 0);
  record->pages[huge][bucket] += followed.weight_of_page;
}

void pages_add(Record* record, Addr address, Bool is_write) {
  if (pages_add_to_last(address, is_write)) return;
  const UWord number = address >> page_shift;
  pages_of_running->last = page_of(number, record->object);
  pages_of_running->user = user_of(pages_of_running->last, whose);
  add(record, 0, pages_of_running->of[0], number, followed.weight_of_page);
  // All pages of 2 MiB are followed, each by those of its small pages that are.
  add(record, 1, pages_of_running->of[1], address >> huge_page_shift, 1);
  pages_add_to_last(address, is_write);
}

void pages_keep_followed(void) {
  for (Word i = 0; i < VG_(sizeXA)(threads); ++i) {
    PagesOfThread* const uses = uses_of(i);
    recency_keep(uses->of[0], follows_page);
    uses->last = NULL;
  }
  VG_(memset)(recent, 0, sizeof recent);
  XArray* const kept = VG_(newXA)(VG_(malloc), "gable.pages", VG_(free), sizeof(Page*));
  for (Word i = 0; i < pages_count(); ++i) {
    Page* const page = (Page*)page_at(i);
    if (follows_page(page->page)) {
      VG_(addToXA)(kept, &page);
    } else {
      VG_(OSetGen_FreeNode)(by_number, VG_(OSetGen_Remove)(by_number, &page->page));
      free_page(page);
    }
  }
  VG_(deleteXA)(pages);
  pages = kept;
}

Word pages_count(void) {
  return VG_(sizeXA)(pages);
}

const Page* page_at(Word index) {
  return *(Page**)VG_(indexXA)(pages, index);
}
