/* Lookups in a balanced binary search tree with 2^LEVELS - 1 nodes, level by level in memory. The keys are
 * the odd numbers; every second lookup is for an even one, which the tree lacks. */
#include "program.h"

typedef struct {
  uint64_t key;
  uint32_t left, right; /* numbers of nodes; 0: none */
} Node;

int main(int argc, char** argv) {
  const char* usage = "tree_search LEVELS LOOKUPS";
  const long levels = argument(argc, argv, 1, 1, usage);
  const uint64_t lookups = (uint64_t)argument(argc, argv, 2, 1, usage), nodes = 1ull << levels;
  Node* tree = allocate(nodes, sizeof *tree); /* the root is node 1 */
#pragma omp parallel for schedule(static)
  for (uint64_t i = 1; i < nodes; ++i) {
    const int level = 63 - __builtin_clzll(i);
    const uint64_t place = i - (1ull << level); /* in its level, from the left */
    tree[i].key = (2 * place + 1) * (nodes >> level) - 1;
    tree[i].left = 2 * i < nodes ? (uint32_t)(2 * i) : 0;
    tree[i].right = 2 * i < nodes ? (uint32_t)(2 * i + 1) : 0;
  }
  uint64_t found = 0, sum = 0;
  gable_marker_start("tree_search");
#pragma omp parallel for schedule(static) reduction(+ : found, sum)
  for (uint64_t i = 0; i < lookups; ++i) {
    const uint64_t key = 2 * (mixed(i) & (nodes - 1)) + 1 - i % 2;
    uint32_t at = 1;
    while (at != 0 && tree[at].key != key) at = key < tree[at].key ? tree[at].left : tree[at].right;
    found += at != 0;
    sum += at != 0 ? tree[at].key : 0;
  }
  gable_marker_stop("tree_search");
  uint64_t expected = 0, expected_sum = 0;
  for (uint64_t i = 0; i < lookups; i += 2) {
    const uint64_t rank = mixed(i) & (nodes - 1); /* the last one is beyond the largest key */
    expected += rank < nodes - 1;
    expected_sum += rank < nodes - 1 ? 2 * rank + 1 : 0;
  }
  printf("tree_search: %llu of %llu found, sum %llu", (unsigned long long)found, (unsigned long long)lookups,
         (unsigned long long)sum);
  return verdict(found == expected && sum == expected_sum);
}
