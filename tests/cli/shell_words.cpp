#include "cli/shell_words.hpp"

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

TEST(ShellWords, ACallIsToldAsItWasGiven) {
  CLI::App app("", "gable");
  CLI::App& command = *app.add_subcommand("measure");
  std::string folder, preset;
  std::vector<std::string> only;
  bool quiet = false, smt = false;
  command.add_option("DIR", folder);
  command.add_option("--preset", preset);
  command.add_option("--only", only)->allow_extra_args(false);
  command.add_flag("--quiet", quiet);
  command.add_flag("--smt", smt);
  app.parse("measure \"my dir\" --quiet --only L1,op=load --only \"a b\"");
  EXPECT_EQ(shell_words(call_text(command), "test"),
            (std::vector<std::string>{"gable", "measure", "my dir", "--only", "L1,op=load", "--only", "a b",
                                      "--quiet"}));
}

}  // namespace
