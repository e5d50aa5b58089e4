/* What the library in the program and the process that serves its write faults tell each
   other. Read by C and C++. */
#ifndef GABLE_KMAF_PRELOAD_PROTOCOL_H
#define GABLE_KMAF_PRELOAD_PROTOCOL_H

#include <stdint.h>

/* The environment variable that holds the name of the abstract socket (unix(7)), without its leading zero. */
#define GABLE_WRITE_FAULTS "GABLE_WRITE_FAULTS"

enum { gable_most_threads = 8188 };

/* Where the threads of a process have their control blocks: shared memory, in which entries are only ever
   added. A page with one may never be protected, for the kernel does not wait when it clears the number of a
   thread that exits there, and whoever joins that thread would wait for ever. */
struct gable_threads {
  uint32_t creating;  /* threads that are being made and may not be in the list yet */
  uint32_t count;     /* entries that are taken; one that is 0 is not written yet */
  uint32_t left;      /* the process is to be left alone from now on */
  uint32_t left_done; /* the library's own: and nothing of it is protected any more */
  uint64_t thread_pointer[gable_most_threads];
};

enum gable_word {
  gable_joins = 1,  /* with two descriptors: the userfaultfd, and the memory of gable_threads */
  gable_cannot = 2, /* no userfaultfd: `error` is why */
  gable_leaves = 3, /* nothing of this process may be protected any more; waits for an answer */
  gable_loads = 4   /* nothing until what it is about to load has been seen; waits for an answer */
};

/* One datagram each on a connection of its own (SOCK_SEQPACKET). Who waits is answered by one byte when
   nothing is protected; a connection that ends without was not heard. */
struct gable_hello {
  uint32_t word;
  int32_t error; /* an errno */
};

#endif
