/* clang-format off */
/* Marked regions for `gable point run --regions`: one header, C99 or C++, no library.
 *
 *     #include <gable-marker.h>
 *     gable_marker_start("sweep");                 // in every thread that takes part; regions may be nested
 *     gable_marker_work(2.0 * n, 16.0 * n, 0);     // this thread's, in all regions that it has open: flops,
 *                                                  // bytes loaded, bytes stored; only for --counter marker
 *     gable_marker_stop("sweep");
 *
 * A region's seconds are the wall clock's time in which at least one thread was inside. When the program
 * ends, or at gable_marker_close(), the file $GABLE_MARKER_FILE.PID is written; without that variable
 * nothing is recorded. Under Gable's Valgrind tool the markers tell it of the regions, whose work it then
 * counts. Safe from any thread. Starting and stopping take a lock: mark what lasts microseconds and more. */
/* clang-format on */
#ifndef GABLE_MARKER_H
#define GABLE_MARKER_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weak, so that all files of a program that include this share one. */
#define GABLE_MARKER_SHARED __attribute__((weak, unused))

/* What Gable's Valgrind tool is told, by client requests: Valgrind knows them by a sequence of instructions
 * that does nothing anywhere else. Between ENTER and one of the others it leaves out what the thread does:
 * that is the marker's own. The request for ENTER is constant, so that it costs no stores. */
#define GABLE_MARKER_ENTER 0x47420000ul
#define GABLE_MARKER_START 0x47420001ul
#define GABLE_MARKER_STOP 0x47420002ul
#define GABLE_MARKER_LEAVE 0x47420003ul
#define GABLE_MARKER_INLINE static inline __attribute__((always_inline))

GABLE_MARKER_INLINE void gable_marker_request(const unsigned long* request) {
#if defined(__x86_64__) && defined(__linux__)
  unsigned long unused = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(unused)
      : "a"(request)
      : "cc", "memory");
#elif defined(__aarch64__) && defined(__linux__)
  register unsigned long unused __asm__("x3") = 0;
  register const unsigned long* where __asm__("x4") = request;
  __asm__ volatile(
      "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(unused)
      : "r"(where)
      : "cc", "memory");
#elif defined(__linux__)
#error "Gable's markers are written for x86-64 and AArch64."
#else
  (void)request;
#endif
}

GABLE_MARKER_INLINE void gable_marker_enter(void) {
  static const unsigned long request[6] = {GABLE_MARKER_ENTER, 0, 0, 0, 0, 0};
  gable_marker_request(request);
}

GABLE_MARKER_INLINE void gable_marker_leave(unsigned long how, const char* name) {
  const unsigned long request[6] = {how, (unsigned long)name, 0, 0, 0, 0};
  gable_marker_request(request);
}

typedef struct GableMarkerVisit { /* one thread in one region */
  int thread, depth;              /* depth: how often it was started and not yet stopped */
  struct GableMarkerVisit* next;
} GableMarkerVisit;

typedef struct GableMarkerRegion {
  char* name;
  GableMarkerVisit* visits;
  int inside, most_inside, threads;
  unsigned long calls;
  struct timespec since;
  struct rusage used_before; /* by the process, when the first thread now inside entered */
  double user_seconds, kernel_seconds, page_faults;
  double seconds, flops, load_bytes, store_bytes;
  struct GableMarkerRegion* next;
} GableMarkerRegion;

typedef struct {
  int state; /* 0: not asked for yet, 1: records, 2: off */
  int threads, written, strays;
  pid_t pid;
  char stray[64]; /* a region that was stopped without a start */
  GableMarkerRegion* regions;
} GableMarkerState;

GABLE_MARKER_SHARED pthread_mutex_t gable_marker_lock = PTHREAD_MUTEX_INITIALIZER;
GABLE_MARKER_SHARED GableMarkerState gable_marker_state = {0, 0, 0, 0, 0, {0}, NULL};
GABLE_MARKER_SHARED __thread int gable_marker_thread = 0;

static inline void gable_marker_text(FILE* file, const char* text) {
  fputc('"', file);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fputc('\\', file);
    if (c < ' ')
      fprintf(file, "\\u%04x", c);
    else
      fputc(c, file);
  }
  fputc('"', file);
}

static inline void gable_marker_write(FILE* file) {
  fprintf(file, "{\"schema\":1,\"strays\":%d,\"stray\":", gable_marker_state.strays);
  gable_marker_text(file, gable_marker_state.stray);
  fprintf(file, ",\"regions\":[");
  for (GableMarkerRegion* region = gable_marker_state.regions; region; region = region->next) {
    int open = 0;
    for (GableMarkerVisit* visit = region->visits; visit; visit = visit->next) open += visit->depth > 0;
    fprintf(file, "%s\n{\"name\":", region == gable_marker_state.regions ? "" : ",");
    gable_marker_text(file, region->name);
    fprintf(file, ",\"calls\":%lu,\"threads\":%d,\"most_inside\":%d,\"open\":%d,\"seconds\":%.9f",
            region->calls, region->threads, region->most_inside, open, region->seconds);
    fprintf(file, ",\"user_seconds\":%.6f,\"kernel_seconds\":%.6f,\"page_faults\":%.0f", region->user_seconds,
            region->kernel_seconds, region->page_faults);
    fprintf(file, ",\"flops\":%.17g,\"load_bytes\":%.17g,\"store_bytes\":%.17g}", region->flops,
            region->load_bytes, region->store_bytes);
  }
  fprintf(file, "\n]}\n");
}

/* Writes what was recorded until now; the last one counts. */
static inline void gable_marker_close(void) {
  const char* path = getenv("GABLE_MARKER_FILE");
  pthread_mutex_lock(&gable_marker_lock);
  if (gable_marker_state.state == 1 && path && gable_marker_state.pid == getpid()) {
    char name[4096];
    snprintf(name, sizeof name, "%s.%ld", path, (long)getpid());
    FILE* file = fopen(name, "w");
    if (file) {
      gable_marker_write(file);
      if (fclose(file) != 0) fprintf(stderr, "gable-marker: cannot write %s\n", name);
    } else {
      fprintf(stderr, "gable-marker: cannot write %s\n", name);
    }
  }
  pthread_mutex_unlock(&gable_marker_lock);
}

/* With the lock held: whether anything is recorded. A forked child starts without records. */
static inline int gable_marker_on(void) {
  if (gable_marker_state.state == 1 && gable_marker_state.pid != getpid()) {
    gable_marker_state.regions = NULL;
    gable_marker_state.pid = getpid();
  }
  if (gable_marker_state.state == 0) {
    gable_marker_state.state = getenv("GABLE_MARKER_FILE") ? 1 : 2;
    gable_marker_state.pid = getpid();
    if (gable_marker_state.state == 1) atexit(gable_marker_close);
  }
  if (gable_marker_thread == 0) gable_marker_thread = ++gable_marker_state.threads;
  return gable_marker_state.state == 1;
}

static inline GableMarkerRegion* gable_marker_region(const char* name) {
  GableMarkerRegion** at = &gable_marker_state.regions;
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  if (!*at) {
    GableMarkerRegion* made = (GableMarkerRegion*)calloc(1, sizeof *made);
    if (!made || !(made->name = strdup(name))) abort();
    *at = made;
  }
  return *at;
}

static inline GableMarkerVisit* gable_marker_visit(GableMarkerRegion* region) {
  GableMarkerVisit* visit = region->visits;
  while (visit && visit->thread != gable_marker_thread) visit = visit->next;
  return visit;
}

static inline double gable_marker_passed(struct timeval from, struct timeval to) {
  return (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_usec - from.tv_usec);
}

/* Adds what the process used while a thread was inside. */
static inline void gable_marker_use(GableMarkerRegion* region) {
  const struct rusage* before = &region->used_before;
  struct rusage now;
  if (getrusage(RUSAGE_SELF, &now) != 0) return;
  region->user_seconds += gable_marker_passed(before->ru_utime, now.ru_utime);
  region->kernel_seconds += gable_marker_passed(before->ru_stime, now.ru_stime);
  region->page_faults += (double)(now.ru_minflt - before->ru_minflt + now.ru_majflt - before->ru_majflt);
}

static inline void gable_marker_begin(const char* name) {
  pthread_mutex_lock(&gable_marker_lock);
  if (gable_marker_on()) {
    GableMarkerRegion* region = gable_marker_region(name);
    GableMarkerVisit* visit = gable_marker_visit(region);
    if (!visit) {
      visit = (GableMarkerVisit*)calloc(1, sizeof *visit);
      if (!visit) abort();
      visit->thread = gable_marker_thread;
      visit->next = region->visits;
      region->visits = visit;
      ++region->threads;
    }
    if (visit->depth++ == 0) {
      ++region->calls;
      if (region->inside++ == 0) {
        getrusage(RUSAGE_SELF, &region->used_before);
        clock_gettime(CLOCK_MONOTONIC, &region->since);
      }
      if (region->inside > region->most_inside) region->most_inside = region->inside;
    }
  }
  pthread_mutex_unlock(&gable_marker_lock);
}

static inline void gable_marker_end(const char* name) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&gable_marker_lock);
  if (gable_marker_on()) {
    GableMarkerRegion* region = gable_marker_region(name);
    GableMarkerVisit* visit = gable_marker_visit(region);
    if (!visit || visit->depth == 0) {
      if (gable_marker_state.strays++ == 0)
        snprintf(gable_marker_state.stray, sizeof gable_marker_state.stray, "%s", name);
    } else if (--visit->depth == 0 && --region->inside == 0) {
      double passed =
          (double)(now.tv_sec - region->since.tv_sec) + 1e-9 * (double)(now.tv_nsec - region->since.tv_nsec);
      region->seconds += passed > 0 ? passed : 0;
      gable_marker_use(region);
    }
  }
  pthread_mutex_unlock(&gable_marker_lock);
}

static inline void gable_marker_add(double flops, double load_bytes, double store_bytes) {
  pthread_mutex_lock(&gable_marker_lock);
  if (gable_marker_on()) {
    for (GableMarkerRegion* region = gable_marker_state.regions; region; region = region->next) {
      GableMarkerVisit* visit = gable_marker_visit(region);
      if (!visit || visit->depth == 0) continue;
      region->flops += flops;
      region->load_bytes += load_bytes;
      region->store_bytes += store_bytes;
    }
  }
  pthread_mutex_unlock(&gable_marker_lock);
}

GABLE_MARKER_INLINE void gable_marker_start(const char* name) {
  gable_marker_enter();
  gable_marker_begin(name);
  gable_marker_leave(GABLE_MARKER_START, name);
}

GABLE_MARKER_INLINE void gable_marker_stop(const char* name) {
  gable_marker_enter();
  gable_marker_end(name);
  gable_marker_leave(GABLE_MARKER_STOP, name);
}

/* Adds work to every region that this thread has started and not stopped: a region's seconds hold those of
 * the regions inside it, so its work holds theirs. */
GABLE_MARKER_INLINE void gable_marker_work(double flops, double load_bytes, double store_bytes) {
  gable_marker_enter();
  gable_marker_add(flops, load_bytes, store_bytes);
  gable_marker_leave(GABLE_MARKER_LEAVE, "");
}

#ifdef __cplusplus
}
#endif

#endif
