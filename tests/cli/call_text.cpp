#include "cli/options/command_tree.hpp"

#include <gtest/gtest.h>

#include "cli/text/arguments.hpp"

namespace {

using namespace gable::cli;

TEST(CallText, ACallIsQuotedAsGiven) {
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
