#include "kmaf/live/settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

fs::path below(const fs::path& root, const std::string& path) {
  return root / fs::path(path).relative_path();
}

}  // namespace

std::optional<std::string> Settings::read(const std::string& path) const {
  std::ifstream file(below(root_, path));
  std::string line;
  if (!std::getline(file, line)) return {};
  return line;
}

bool Settings::can_write(const std::string& path) const {
  // Opened and not asked for by access(2): kernel lockdown refuses when a knob is opened.
  const int fd = open(below(root_, path).c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  close(fd);
  return true;
}

bool Settings::write(const std::string& path, const std::string& value) {
  if (journal_ == nullptr) throw std::logic_error("a setting is changed without a journal");
  const auto old = read(path);
  if (!old) return false;
  if (*old == value) return true;
  if (changed_.insert(path).second) journal_->setting(path, *old);
  journal_->wrote(path, value);
  std::ofstream file(below(root_, path));
  file << value << "\n" << std::flush;
  return static_cast<bool>(file);
}

bool balancing_is_on(const Settings& settings) {
  const std::string value = settings.read(numa_balancing).value_or("0");
  return value == "1" || value == "3";
}

bool switch_balancing_on(Settings& settings) {
  if (balancing_is_on(settings)) return true;
  return settings.write(numa_balancing, settings.read(numa_balancing) == "2" ? "3" : "1");
}

}  // namespace gable::kmaf::live
