// Memory of a file: persistent memory on a DAX file system, the page cache on any other.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/owned.hpp"
#include "bench/tiers/mechanisms.hpp"

#ifdef GABLE_LIBPMEM
#include <libpmem.h>
#endif

namespace gable::bench {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || error;
}

std::string words(const std::string& path, int error) {
  return fmt::format("{}: {}", path, std::strerror(error));
}

// Whether stores to the file reach persistent memory without a system call: the kernel grants MAP_SYNC only
// on DAX.
bool on_dax(int file) {
  constexpr std::size_t bytes = 4096;
  return static_cast<bool>(
      Mapped(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_SYNC, file, 0), bytes));
}

// The folder, or the folder of the new file, for an unnamed file that cannot be left behind.
std::string folder_of(const std::string& path) {
  if (is_folder(path)) return path;
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Creates an unnamed file, or unlinks it at once if the file system does not support O_TMPFILE.
int open_nameless(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return descriptor;
  std::string name = folder + "/gable-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

// A file of the requested size that disappears when it is closed.
Descriptor new_file(const std::string& path, std::size_t bytes) {
  Descriptor file(open_nameless(folder_of(path)));
  if (!file) throw Error::unavailable(words(path, errno));
  // Allocates everything now: a missing block would cause SIGBUS later.
  if (const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)); error != 0)
    throw Error::unavailable(words(path, error));
  return file;
}

class FileRegion : public Region {
 public:
  model::Note misplaced(std::size_t) const override { return {}; }  // the mapping is always in the file

 protected:
  void describe(bool dax, const std::string& mapper) {
    persistent_ = dax;
    how_ = dax ? fmt::format("{} on DAX", mapper)
               : fmt::format("{} of a file that is not on DAX: page cache, not persistent memory", mapper);
    if (!dax) notes_.emplace_back(model::NoteCode::not_on_dax);
  }
};

class MappedFile : public FileRegion {
 public:
  MappedFile(const std::string& path, std::size_t bytes) : file_(new_file(path, bytes)) {
    const bool dax = on_dax(file_.get());
    mapping_ = Mapped(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           dax ? MAP_SHARED_VALIDATE | MAP_SYNC : MAP_SHARED, file_.get(), 0),
                      bytes);
    if (!mapping_) throw Error::unavailable(words(path, errno));
    bytes_ = mapping_.get();
    describe(dax, dax ? "mmap with MAP_SYNC" : "mmap");
  }

 private:
  Descriptor file_;
  Mapped mapping_;
};

#ifdef GABLE_LIBPMEM
class PmemFile : public FileRegion {
 public:
  PmemFile(const std::string& path, std::size_t bytes) {
    const bool dax = on_dax(new_file(path, 4096).get());
    int is_pmem = 0;
    void* mapping = pmem_map_file(folder_of(path).c_str(), bytes, PMEM_FILE_CREATE | PMEM_FILE_TMPFILE, 0600,
                                  &mapped_, &is_pmem);
    if (mapping == nullptr) throw Error::unavailable(fmt::format("{}: {}", path, pmem_errormsg()));
    bytes_ = {static_cast<std::byte*>(mapping), bytes};
    describe(dax, "pmem_map_file");
    if (is_pmem != 0 && !dax) notes_.emplace_back(model::NoteCode::not_persistent);
  }
  ~PmemFile() override { pmem_unmap(bytes_.data(), mapped_); }

 private:
  std::size_t mapped_ = 0;
};
#endif

std::string file_system_problem(const std::string& path) {
  const fs::path parent = is_folder(path) ? fs::path(path) : fs::path(path).parent_path();
  if (!is_folder(parent)) return fmt::format("{}: no such folder", parent.string());
  if (!is_folder(path) && is_there(path))
    return fmt::format("{}: exists already and would be overwritten; name a folder or a new file", path);
  return Descriptor(open_nameless(folder_of(path))) ? "" : words(path, errno);
}

std::optional<std::uint64_t> free_bytes_of(const std::string& path) {
  struct statfs about {};
  const std::string folder = folder_of(path);
  if (statfs(folder.c_str(), &about) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(about.f_bavail) * static_cast<std::uint64_t>(about.f_bsize);
}

std::optional<std::uint64_t> file_system_of(const std::string& path) {
  struct stat about {};
  if (stat(folder_of(path).c_str(), &about) != 0) return std::nullopt;
  return about.st_dev;
}

}  // namespace

std::unique_ptr<Region> map_with_libpmem([[maybe_unused]] const std::string& path,
                                         [[maybe_unused]] std::size_t bytes) {
#ifdef GABLE_LIBPMEM
  return std::make_unique<PmemFile>(path, bytes);
#else
  return nullptr;
#endif
}

std::unique_ptr<Region> map_plain(const std::string& path, std::size_t bytes) {
  return std::make_unique<MappedFile>(path, bytes);
}

std::optional<Tier> find_file_tier(const std::string& name, const machines::Machine&, int) {
  if (name.find('/') == std::string::npos) return std::nullopt;
  if (const std::string problem = file_system_problem(name); !problem.empty())
    throw Error::unavailable(problem);
  const auto take = [name](std::size_t bytes) {
    auto region = map_with_libpmem(name, bytes);
    return region ? std::move(region) : map_plain(name, bytes);
  };
  return Tier{name, model::Tier::file,   std::nullopt, [name] { return free_bytes_of(name); },
              take, file_system_of(name)};
}

}  // namespace gable::bench
