// Processes that outlive a program: small shells whose children do known things.

#include "points/orphans.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/error.hpp"
#include "points/run.hpp"

namespace gable::points {
namespace {

const std::string loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";

// Runs it and returns why it is refused.
std::string refusal_of(const std::string& script) {
  Orphans orphans;
  const Ending ending = run({"sh", "-c", script}, {});
  std::string why;
  try {
    orphans.require_ended("app", ending);
  } catch (const Error& error) {
    why = error.what();
  }
  orphans.end();
  EXPECT_TRUE(orphans.running().empty());
  return why;
}

TEST(Orphans, ProgramsThatWaitForTheirChildrenAreAccepted) {
  EXPECT_EQ(refusal_of("(" + loop + ") & wait; " + loop), "");
  EXPECT_EQ(refusal_of("true"), "");
}

TEST(Orphans, OneThatRunsOnIsNamed) {
  const std::string why = refusal_of("sleep 61 >/dev/null & true");
  EXPECT_NE(why.find("(sleep 61) is still running after the end of app"), std::string::npos) << why;
  EXPECT_NE(why.find("run the program in the foreground"), std::string::npos) << why;
}

TEST(Orphans, OneThatWorksOnForAMomentIsRefusedToo) {
  const std::string why = refusal_of("(" + loop + ") & true");
  EXPECT_NE(why.find("after the end of app"), std::string::npos) << why;
}

TEST(Orphans, OneThatOnlyEndsLateIsAccepted) {
  EXPECT_EQ(refusal_of("(sleep 0.1) & " + loop + "; " + loop + "; " + loop), "");
}

// The children of what is killed end too.
TEST(Orphans, EndingThemLeavesNone) {
  Orphans orphans;
  run({"sh", "-c", "(sleep 62; true) >/dev/null & (sleep 63; true) >/dev/null & true"}, {});
  EXPECT_EQ(orphans.running().size(), 2u);
  orphans.end();
  EXPECT_TRUE(orphans.running().empty());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST(Orphans, OtherChildrenAreNone) {
  const int other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  {
    Orphans orphans;
    EXPECT_TRUE(orphans.running().empty());
    orphans.end();
  }
  EXPECT_EQ(kill(other, SIGKILL), 0);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

}  // namespace
}  // namespace gable::points
