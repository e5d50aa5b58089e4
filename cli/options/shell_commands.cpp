#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/folder.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/completion.hpp"
#include "cli/options/man_page.hpp"
#include "cli/options/validators.hpp"

namespace gable::cli {

namespace {

void print_man_page(const CLI::App& root, const std::vector<std::string>& words) {
  std::vector<std::string> path = words;
  if (!path.empty() && path.front() == root.get_name()) path.erase(path.begin());
  const CLI::App* command = command_at(root, path);
  if (command == nullptr) {
    throw Error::usage(fmt::format("man: no command '{}'{}", fmt::join(path, " "),
                                   did_you_mean(path.front(), names_of_commands(root))));
  }
  std::fputs(man_page(*command).c_str(), stdout);
}

}  // namespace

void define_completion(CLI::App& command) {
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash: source <(gable completion bash); zsh: the same, after compinit")
      ->required()
      ->check(one_of({"bash", "zsh"}));
  command.callback([shell, &command] {
    const CLI::App& root = *command.get_parent();
    const auto machines = machine_names();
    std::fputs((*shell == "bash" ? bash_completion(root, machines) : zsh_completion(root, machines)).c_str(),
               stdout);
  });
}

void define_man(CLI::App& command) {
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("NAME", *words, "the command, such as: place, or: point add; default: gable itself");
  command.footer("To read a page: gable man place | man -l -");
  command.callback([words, &command] { print_man_page(*command.get_parent(), *words); });
}

}  // namespace gable::cli
