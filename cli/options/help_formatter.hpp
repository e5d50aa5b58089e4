#pragma once

// The text of --help: no line is wider than 100 columns, or than the terminal.

#include <CLI/CLI.hpp>
#include <string>

namespace gable::cli {

/// The widest line of --help, in characters: 100, or the width of the terminal that standard output is.
std::size_t help_columns();

/// The text in lines of at most help_columns(), cut at spaces. The first line begins in column `first`, the
/// others are indented by `indent`. Line feeds of the text stay; a line of it that is a row of a list (" name
/// words") goes on below its words.
std::string help_text(const std::string& text, std::size_t first, std::size_t indent);

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_description(const CLI::App* command) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;
};

}  // namespace gable::cli
