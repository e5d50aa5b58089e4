#include "cli/text/arguments.hpp"

#include <gtest/gtest.h>

namespace {

using namespace gable::cli;

// The C library reads them as a shell would.
TEST(ShellWords, WhatIsQuotedComesBackAsOneWord) {
  for (const char* argument : {"runs/a", "my runs/a", "it's", "$HOME", "a\"b", "*", "~", "a;b", "`ls`",
                               "tab\there", "", "ä", "a\\b", "#x"}) {
    EXPECT_EQ(shell_words("gable measure " + shell_quoted(argument), "test"),
              (std::vector<std::string>{"gable", "measure", argument}));
  }
}

TEST(ShellWords, PlainNamesStayAsTheyAre) {
  EXPECT_EQ(shell_quoted("machines/my-host_1.2"), "machines/my-host_1.2");
  EXPECT_EQ(shell_quoted("-x"), "./-x");  // no option
}

}  // namespace
