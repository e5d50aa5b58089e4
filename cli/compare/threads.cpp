#include "cli/compare/threads.hpp"

#include <map>
#include <set>
#include <string>

namespace gable::cli {

void tell_threads_apart(std::vector<Versus>& versus) {
  std::map<std::string, std::set<std::string>> threads_of_names;
  for (const Versus& one : versus) {
    for (const auto* figures : {&one.first, &one.other}) {
      for (const model::Figure& figure : *figures) {
        if (!figure.threads.empty()) threads_of_names[figure.name].insert(figure.threads);
      }
    }
  }
  for (Versus& one : versus) {
    for (auto* figures : {&one.first, &one.other}) {
      for (model::Figure& figure : *figures) {
        const auto found = threads_of_names.find(figure.name);
        if (found != threads_of_names.end() && found->second.size() > 1) figure.name += ", " + figure.threads;
      }
    }
  }
}

}  // namespace gable::cli
