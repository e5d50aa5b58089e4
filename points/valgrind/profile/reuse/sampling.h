#pragma once

// Which cache lines and pages a profile follows: those whose hash is below a threshold (SHARDS: Waldspurger
// and others, FAST 2015). All are followed while the program is small; then the thresholds fall.

#include <pub_tool_basics.h>

enum { line_shift = 6, page_shift = 12, huge_page_shift = 21, hash_bits = 24 };

// The hash of a line or page is the highest `hash_bits` of its number times this.
#define HASH_FACTOR 0x9e3779b97f4a7c15ULL

// To know the depth of a line, all lines of its set must be followed. Lines are therefore divided into 64
// classes, which are the sets of a cache with 64 sets, and a mask has the classes that are followed.
enum { classes = 64, most_classes_of_threads = 1024 };

typedef struct {
  ULong lines, pages;  // thresholds
  ULong classes;       // mask
  UInt class_count;
  // How many lines or pages a followed one stands for.
  double weight_of_line, weight_of_page, weight_of_class;
} Followed;

extern Followed followed;

// The same, for instrumented code. Half of a hash's product minus a limit is negative if the line or page is
// followed. `classes`, shifted to the left by the class of a line, is negative if the class is followed.
typedef struct {
  ULong lines, pages, classes;
} Limits;

extern Limits limits;

static inline ULong hash_of(UWord number) {
  return number * HASH_FACTOR >> (64 - hash_bits);
}

static inline Bool follows_line(UWord line) {
  return hash_of(line) < followed.lines;
}

static inline Bool follows_page(UWord page) {
  return hash_of(page) < followed.pages;
}

static inline UInt class_of(UWord line) {
  return line % classes;
}

static inline Bool follows_class_of(UWord line) {
  return followed.classes >> class_of(line) & 1;
}
