// Handling of a program before and after it starts.

#include "kmaf/live/program/program.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gable::kmaf::live {
namespace {

// Before it has started, too.
TEST(Program, GetsTheSignalsThatAskItsManagerToEnd) {
  for (const int number : {SIGTERM, SIGINT, SIGQUIT}) {
    signal(number, SIG_DFL);  // jobs of a shell in the background ignore some
    Program program({"sleep", "1"}, [] {
      signal(SIGINT, SIG_DFL);
      signal(SIGQUIT, SIG_DFL);
    });
    kill(getpid(), number);
    program.go();
    std::optional<Ending> ending;
    while (!(ending = program.ended())) usleep(1000);
    EXPECT_EQ(ending->signal, number);
  }
}

}  // namespace
}  // namespace gable::kmaf::live
