// What happens to a program before and after it begins.

#include "kmaf/live/program.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gable::kmaf::live {
namespace {

// Before it has begun, too.
TEST(Program, GetsTheSignalsThatAskItsManagerToEnd) {
  Program program({"sleep", "1"}, {});
  kill(getpid(), SIGTERM);
  program.go();
  std::optional<Ending> ending;
  while (!(ending = program.ended())) usleep(1000);
  EXPECT_EQ(ending->signal, SIGTERM);
}

}  // namespace
}  // namespace gable::kmaf::live
