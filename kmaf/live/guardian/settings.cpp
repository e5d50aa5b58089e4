#include "kmaf/live/guardian/settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "base/files.hpp"
#include "base/owned.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

fs::path below(const fs::path& root, const std::string& path) {
  return root / fs::path(path).relative_path();
}

}  // namespace

std::optional<std::string> Settings::read(const std::string& path) const {
  return first_line(below(root_, path));
}

std::optional<std::string> first_line(const fs::path& file) {
  try {
    const std::string text = read_whole(file);
    if (text.empty()) return {};
    return text.substr(0, text.find('\n'));
  } catch (const std::system_error&) {
    return {};
  }
}

bool Settings::can_write(const std::string& path) const {
  // Opens it instead of calling access(2): kernel lockdown refuses only at open.
  return static_cast<bool>(Descriptor(open(below(root_, path).c_str(), O_WRONLY | O_CLOEXEC)));
}

bool Settings::write(const std::string& path, const std::string& value) {
  if (journal_ == nullptr) throw std::logic_error("a setting cannot be changed without a journal");
  const auto old = read(path);
  if (!old) return false;
  if (*old == value) return true;
  if (changed_.insert(path).second) journal_->setting(path, *old);
  journal_->wrote(path, value);
  return write_setting(below(root_, path), value);
}

bool write_setting(const fs::path& file, const std::string& value) {
  const Descriptor setting(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!setting) return false;
  const std::string line = value + "\n";
  const auto bytes = static_cast<ssize_t>(line.size());
  const bool written = ::write(setting.get(), line.data(), line.size()) == bytes;
  // Truncates an ordinary file, which may have been longer. The kernel's files have no length: errors are
  // ignored.
  if (written && ftruncate(setting.get(), bytes) != 0) errno = 0;
  return written;
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
