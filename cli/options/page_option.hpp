#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/pages.hpp"
#include "cli/options/validators.hpp"
#include "model/domain/pages.hpp"

namespace gable::cli {

/// --pages: sizes of pages that this system can have.
inline CLI::Option* add_pages(CLI::App& command, std::vector<model::Pages>& pages, const std::string& what) {
  const auto take = [&pages](const std::vector<std::string>& names) {
    pages.clear();
    for (const std::string& name : names) pages.push_back(*model::pages_named(name));
  };
  return command.add_option_function<std::vector<std::string>>("--pages", take, what)
      ->check(one_of(page_names()));
}

}  // namespace gable::cli
