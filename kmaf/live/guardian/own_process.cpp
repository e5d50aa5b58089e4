#include "kmaf/live/guardian/own_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>

namespace gable::kmaf::live {

void detach(const char* name) {
  setsid();
  prctl(PR_SET_NAME, name);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2})
    signal(number, SIG_IGN);
}

void keep_only(std::initializer_list<int> descriptors) {
  const int low = open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2; ++fd) {
    if (low >= 0) dup2(low, fd);
  }
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); ++fd) {
    if (std::find(descriptors.begin(), descriptors.end(), fd) == descriptors.end()) close(fd);
  }
}

}  // namespace gable::kmaf::live
