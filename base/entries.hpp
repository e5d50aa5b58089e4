#pragma once

// What is in a folder. Unlike std::filesystem::directory_iterator of libstdc++ 12, which then ends the
// process, these throw std::bad_alloc where memory is missing.

#include <string>
#include <vector>

namespace gable {

/// The names of the folder's entries, in no order; none if it cannot be read.
std::vector<std::string> names_in(const std::string& folder);

/// The names that are numbers of at least `least`: processes, threads and open files in /proc.
std::vector<int> numbers_in(const std::string& folder, int least = 1);

}  // namespace gable
