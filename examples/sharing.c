/* Kernels with known sharing, for thread and data placement. Each thread updates one array and reads
 * another thread's, chosen by the kernel. Everything is integer arithmetic, in two copies that swap
 * roles after every pass, so the result depends only on the number of passes: a page that lost
 * its content, or a thread that lost its position, is detected at the end. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { chunks = 16, phases = 3, page = 4096, most_threads = 1024, most_nodes = 1024 };

typedef struct {
  const char *name, *summary;
  int first_touch; /* 1: thread 0 touches everything first */
  int phases;
  int (*updates)(int thread, int threads, int pass, int phase);          /* whose array */
  int (*reads)(int thread, int threads, int pass, int phase, int chunk); /* whose array; -1: nobody's */
} Kernel;

static int own(int thread, int threads, int pass, int phase) {
  (void)threads, (void)pass, (void)phase;
  return thread;
}

static int nobody(int thread, int threads, int pass, int phase, int chunk) {
  (void)thread, (void)threads, (void)pass, (void)phase, (void)chunk;
  return -1;
}

/* The edges, a quarter of the array each, face the neighbours'. */
static int ring(int thread, int threads, int pass, int phase, int chunk) {
  (void)pass, (void)phase;
  if (chunk < chunks / 4) return (thread + threads - 1) % threads;
  return chunk >= chunks - chunks / 4 ? (thread + 1) % threads : -1;
}

/* Two pipelines side by side, of the even and of the odd threads. */
static int pipeline(int thread, int threads, int pass, int phase, int chunk) {
  (void)threads, (void)pass, (void)phase, (void)chunk;
  return thread >= 2 ? thread - 2 : -1;
}

/* Two groups, of the even and of the odd threads: their members take turns with the arrays of the group. */
static int member(int thread, int threads, int by) {
  const int groups = threads < 2 ? 1 : 2, members = (threads - thread % groups + groups - 1) / groups;
  return (thread / groups + by) % members * groups + thread % groups;
}
static int block(int thread, int threads, int pass, int phase) {
  (void)phase;
  return member(thread, threads, pass);
}
static int blocks(int thread, int threads, int pass, int phase, int chunk) {
  (void)phase, (void)chunk;
  return member(thread, threads, pass + 1);
}

static int everybody(int thread, int threads, int pass, int phase, int chunk) {
  (void)phase;
  return threads < 2 ? -1 : (thread + 1 + (pass + chunk) % (threads - 1)) % threads;
}

/* Pairs of neighbours; pairs half the threads apart; and at last each has the array of the thread a quarter
 * further on. */
static int moved(int thread, int threads, int pass, int phase) {
  (void)pass;
  return phase < 2 ? thread : (thread + threads / 4) % threads;
}
static int partner(int thread, int threads, int pass, int phase, int chunk) {
  (void)pass, (void)chunk;
  const int other = phase == 1 ? (thread + threads / 2) % threads : thread ^ 1;
  return other >= threads ? -1 : phase < 2 ? other : (other + threads / 4) % threads;
}

static const Kernel kernels[] = {
    {"ring", "neighbours in a ring read each other's edges", 0, 1, own, ring},
    {"pipeline", "each stage reads what the one before wrote; two side by side", 0, 1, own, pipeline},
    {"blocks", "even and odd threads share a block each, which thread 0 touched first", 1, 1, block, blocks},
    {"all-to-all", "every thread reads all threads' arrays", 0, 1, own, everybody},
    {"private", "nobody shares anything, but thread 0 touched it first", 1, 1, own, nobody},
    {"phases", "partners change twice, and the arrays once", 0, phases, moved, partner},
};

typedef struct {
  const Kernel* kernel;
  int threads, passes, where;
  size_t bytes;   /* of an array, both copies */
  double seconds; /* 0: passes count */
} Options;

static int usage(void) {
  fprintf(stderr,
          "usage: sharing KERNEL [--kib N] [--passes N | --seconds S] [--where]\n"
          "  --kib N      of each thread's array, a multiple of 128 (1024)\n"
          "  --passes N   over all arrays (30)\n"
          "  --seconds S  as many passes as take so long\n"
          "  --where      after each phase, on which node every thread runs and its pages lie\n"
          "Threads: OMP_NUM_THREADS. Kernels:\n");
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
    fprintf(stderr, "  %-12s %s\n", kernels[i].name, kernels[i].summary);
  return 2;
}

static int parse(int argc, char** argv, Options* options) {
  for (size_t i = 0; argc > 1 && i < sizeof kernels / sizeof *kernels; ++i)
    if (!strcmp(argv[1], kernels[i].name)) options->kernel = &kernels[i];
  for (int i = 2; i < argc; ++i) {
    char* end = "";
    if (!strcmp(argv[i], "--where")) {
      options->where = 1;
    } else if (i + 1 == argc) {
      return 0;
    } else if (!strcmp(argv[i], "--kib")) {
      options->bytes = strtoul(argv[++i], &end, 10) * 1024;
    } else if (!strcmp(argv[i], "--passes")) {
      options->passes = (int)strtol(argv[++i], &end, 10);
    } else if (!strcmp(argv[i], "--seconds")) {
      options->seconds = strtod(argv[++i], &end);
      if (!(options->seconds > 0)) return 0;
    } else {
      return 0;
    }
    if (*end) return 0;
  }
  /* Chunks are whole pages. */
  return options->kernel && options->bytes && options->bytes % (2 * chunks * page) == 0 &&
         options->passes > 0;
}

/* Element i of a chunk whose value is v is v * odd(i): what is computed of one is known of all. It is the
 * same from both ends, so that edges can be read mirrored. Values are odd and stay so: 5 v + 2 w. */
static uint64_t odd(size_t i, size_t count) {
  const uint64_t from_end = i < count - 1 - i ? i : count - 1 - i;
  return (from_end + 1) * 0x9e3779b97f4a7c15u | 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t* copies[2][most_threads];        /* of each thread's array */
static uint64_t values[2][most_threads][chunks]; /* what each chunk's elements are multiples of: the same,
                                                    calculated by thread 0 */

static void update_values(const Options* options, int pass, int phase) {
  for (int thread = 0; thread < options->threads; ++thread) {
    const int array = options->kernel->updates(thread, options->threads, pass, phase);
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int other = options->kernel->reads(thread, options->threads, pass, phase, chunk);
      values[(pass + 1) % 2][array][chunk] =
          5 * values[pass % 2][array][chunk] +
          2 * (other < 0 ? 1 : values[pass % 2][other][chunks - 1 - chunk]);
    }
  }
}

static void update(const Options* options, int thread, int pass, int phase, size_t count) {
  const int array = options->kernel->updates(thread, options->threads, pass, phase);
  const uint64_t* from = copies[pass % 2][array];
  uint64_t* to = copies[(pass + 1) % 2][array];
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int other = options->kernel->reads(thread, options->threads, pass, phase, chunk);
    const size_t begin = count / chunks * (size_t)chunk, end = begin + count / chunks;
    if (other < 0) {
      for (size_t i = begin; i < end; ++i) to[i] = 5 * from[i] + 2 * odd(i, count);
    } else {
      const uint64_t* mirrored = copies[pass % 2][other];
      for (size_t i = begin; i < end; ++i) to[i] = 5 * from[i] + 2 * mirrored[count - 1 - i];
    }
  }
}

/* The nodes of the array's pages, by the kernel. */
static void print_nodes(int array, size_t count) {
  static int nodes[most_nodes];
  const size_t pages = count * sizeof(uint64_t) / page;
  memset(nodes, 0, sizeof nodes);
  for (int copy = 0; copy < 2; ++copy) {
    for (size_t i = 0; i < pages; ++i) {
      void* address = (char*)copies[copy][array] + i * page;
      int node = -1;
      if (syscall(SYS_move_pages, 0, 1UL, &address, NULL, &node, 0) == 0 && node >= 0 && node < most_nodes)
        ++nodes[node];
    }
  }
  const char* separator = "";
  for (int node = 0; node < most_nodes; ++node) {
    if (nodes[node]) printf("%s %d pages on node %d", separator, nodes[node], node), separator = ",";
  }
  if (!*separator) printf(" the kernel does not tell where");
}

static void print_where(const Options* options, const unsigned* thread_nodes, int pass, int phase,
                        size_t count) {
  for (int thread = 0; thread < options->threads; ++thread) {
    const int array = options->kernel->updates(thread, options->threads, pass, phase);
    printf("  thread %d on node %u; its array:", thread, thread_nodes[thread]);
    print_nodes(array, count);
    printf("\n");
  }
}

/* All passes; returns how many. */
static int run(const Options* options, size_t count) {
  static unsigned thread_nodes[most_threads];
  const Kernel* kernel = options->kernel;
  int pass = 0, phase = 0, phase_end = 0;
  double began = now();
  const double start = began;
#pragma omp parallel num_threads(options->threads)
  {
    const int thread = omp_get_thread_num();
    while (phase < kernel->phases) {
      update(options, thread, pass, phase, count);
      getcpu(NULL, &thread_nodes[thread]);
#pragma omp barrier
#pragma omp master
      {
        update_values(options, pass, phase);
        ++pass;
        const double time = now(), share = (phase + 1.0) / kernel->phases;
        const int is_over =
            options->seconds > 0 ? time - start >= options->seconds * share : pass >= options->passes * share;
        if (is_over) {
          printf("%s, phase %d: %d passes in %.3f s\n", kernel->name, phase + 1, pass - phase_end,
                 time - began);
          if (options->where) print_where(options, thread_nodes, pass - 1, phase, count);
          fflush(stdout);
          phase_end = pass;
          began = now();
          ++phase;
        }
      }
#pragma omp barrier
    }
  }
  return pass;
}

static void initialize(uint64_t* copy, int array, size_t count) {
  for (size_t i = 0; i < count; ++i) copy[i] = (uint64_t)(2 * array + 1) * odd(i, count);
}

/* How many elements are not what they must be after so many passes. */
static size_t check(int passes, int array, size_t count, uint64_t* checksum) {
  size_t wrong = 0;
  uint64_t sum = 0;
  for (size_t begin = 0, chunk = 0; chunk < chunks; ++chunk, begin += count / chunks) {
    const uint64_t value = values[passes % 2][array][chunk];
    for (size_t i = begin; i < begin + count / chunks; ++i) {
      const uint64_t is = copies[passes % 2][array][i];
      wrong += is != value * odd(i, count);
      sum = (sum ^ is) * 0x100000001b3u;
      sum ^= sum >> 29;
    }
  }
  *checksum = sum;
  return wrong;
}

int main(int argc, char** argv) {
  Options options = {.threads = omp_get_max_threads(), .passes = 30, .bytes = 1024 * 1024};
  if (!parse(argc, argv, &options)) return usage();
  if (options.threads > most_threads) options.threads = most_threads;
  const size_t count = options.bytes / 2 / sizeof(uint64_t);
  for (int array = 0; array < options.threads; ++array) {
    char* both = mmap(NULL, options.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) return perror("memory for the arrays"), 1;
    copies[0][array] = (uint64_t*)both;
    copies[1][array] = (uint64_t*)(both + options.bytes / 2);
    for (int chunk = 0; chunk < chunks; ++chunk) values[0][array][chunk] = (uint64_t)(2 * array + 1);
  }
#pragma omp parallel num_threads(options.threads)
  {
    if (options.threads != omp_get_num_threads())
      exit((fprintf(stderr, "%d threads are not available\n", options.threads), 1));
    if (!options.kernel->first_touch)
      for (int copy = 0; copy < 2; ++copy)
        initialize(copies[copy][omp_get_thread_num()], omp_get_thread_num(), count);
  }
  for (int array = 0; options.kernel->first_touch && array < options.threads; ++array)
    for (int copy = 0; copy < 2; ++copy) initialize(copies[copy][array], array, count);

  const int passes = run(&options, count);
  static uint64_t checksums[most_threads];
  size_t wrong = 0;
#pragma omp parallel num_threads(options.threads) reduction(+ : wrong)
  wrong += check(passes, omp_get_thread_num(), count, &checksums[omp_get_thread_num()]);
  uint64_t checksum = 0;
  for (int array = 0; array < options.threads; ++array) checksum = checksum * 31 + checksums[array];
  printf("%s: %d threads, %d passes, checksum %016llx, %s\n", options.kernel->name, options.threads, passes,
         (unsigned long long)checksum, wrong ? "WRONG" : "right");
  if (wrong)
    fprintf(stderr, "sharing: %zu of %zu elements are wrong\n", wrong, count * (size_t)options.threads);
  return wrong != 0;
}
