/* Hash join: a table with open addressing of 2^BITS rows, twice as many slots; then 2^PROBES lookups, half of
 * which find their key. The number of matches and the sum of their payloads are known from the keys. */
#include "program.h"

typedef struct {
  uint64_t key, payload; /* key 0: an empty slot */
} Slot;

static uint64_t key_of(uint64_t row) {
  return mixed(row + 1); /* 0 for none of them */
}

int main(int argc, char** argv) {
  const char* usage = "hash_join BITS PROBES";
  const uint64_t rows = 1ull << argument(argc, argv, 1, 1, usage);
  const uint64_t probes = 1ull << argument(argc, argv, 2, 1, usage);
  const uint64_t slots = 2 * rows, mask = slots - 1;
  Slot* table = allocate(slots, sizeof *table);
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < slots; ++i) table[i] = (Slot){0, 0};
  uint64_t matches = 0, sum = 0;
  gable_marker_start("hash_join");
#pragma omp parallel for schedule(static)
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t key = key_of(row);
    uint64_t at = key & mask;
    for (uint64_t empty = 0;
         !__atomic_compare_exchange_n(&table[at].key, &empty, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
         empty = 0)
      at = (at + 1) & mask;
    table[at].payload = row;
  }
#pragma omp parallel for schedule(static) reduction(+ : matches, sum)
  for (uint64_t probe = 0; probe < probes; ++probe) {
    const uint64_t key = key_of(mixed(probe) & mask); /* rows from `rows` on are in no slot */
    uint64_t at = key & mask;
    while (table[at].key != 0 && table[at].key != key) at = (at + 1) & mask;
    if (table[at].key == key) {
      ++matches;
      sum += table[at].payload;
    }
  }
  gable_marker_stop("hash_join");
  uint64_t expected_matches = 0, expected_sum = 0;
  for (uint64_t probe = 0; probe < probes; ++probe) {
    const uint64_t row = mixed(probe) & mask;
    expected_matches += row < rows;
    expected_sum += row < rows ? row : 0;
  }
  printf("hash_join: %llu matches of %llu, sum %llu", (unsigned long long)matches, (unsigned long long)probes,
         (unsigned long long)sum);
  return verdict(matches == expected_matches && sum == expected_sum);
}
