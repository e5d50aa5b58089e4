// Starts the tool in the same folder, in place of Valgrind's own launcher, which chooses among tools and
// platforms. Valgrind calls it again, through VALGRIND_LAUNCHER, for every program that the counted one
// executes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** arguments) {
  (void)count;
  char self[4096], tool[4096 + 32];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) return perror("/proc/self/exe"), 126;
  self[length] = 0;
  setenv("VALGRIND_LAUNCHER", self, 1);
  *strrchr(self, '/') = 0;
  setenv("VALGRIND_LIB", self, 1);
  snprintf(tool, sizeof tool, "%s/gable-" VALGRIND_PLATFORM, self);
  execv(tool, arguments);
  perror(tool);
  return 126;
}
