/* How this process is handed over to the one that serves its write faults, and taken back. */
#ifndef GABLE_KMAF_PRELOAD_HANDOVER_H
#define GABLE_KMAF_PRELOAD_HANDOVER_H

#include "protocol.h"

/* What the program's C library may have. */
#define WEAK __attribute__((weak))
extern void* dlsym(void*, const char*) WEAK;

/* Hands it over, once. The constructor of the library does; whoever may be sooner calls it first. */
void begin(void);
/* The list of this process; NULL where it was not handed over. */
struct gable_threads* list(void);
/* Adds the thread that calls. */
void add_thread(struct gable_threads* threads);
/* Takes it back for good. Returns when nothing is protected any more, whoever calls and however many at once:
   when the other end has said so; where it cannot, after as long as a page stays protected at most, and that
   again. */
void leave_alone(void);
/* Has nothing protected until the other end has looked at what is loaded now. Returns like leave_alone. */
void hold_still(void);

#endif
