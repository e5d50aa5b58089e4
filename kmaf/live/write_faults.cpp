// Pages are protected from writes now and then by userfaultfd(2), and whoever writes one waits until that is
// noted. For where neither perf nor the kernel's balancing is to be had. A library in the program hands the
// descriptors over (kmaf/preload), a process of this one's serves them (write_watch.hpp).

#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "kmaf/live/fault_server.hpp"
#include "kmaf/live/samplers/samplers.hpp"
#include "kmaf/live/userfault.hpp"
#include "kmaf/live/visitor.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

constexpr const char* switch_of_kernel = "/proc/sys/vm/unprivileged_userfaultfd";

// Where the program lies in the build tree, in the bundle, and installed. Empty where it was not built.
std::string library() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"libexec/gable/kmaf", "../libexec/gable/kmaf"}) {
    const fs::path file = (program / place / "write_faults.so").lexically_normal();
    if (fs::exists(file)) return file;
  }
  return {};
}

// The user's own words in a list of the environment stay.
void extend(const char* name, const std::string& word) {
  const char* const users = std::getenv(name);
  const std::string all = users != nullptr && *users != 0 ? std::string(users) + ":" + word : word;
  setenv(name, all.c_str(), 1);
}

class WriteFaults : public Sampler {
 public:
  WriteFaults(std::string library, double sample_seconds)
      : library_(std::move(library)), sample_seconds_(sample_seconds), door_(open_door()) {}

  // AddressSanitizer would end a program in which anything is loaded before it.
  void prepare() const override {
    extend("LD_PRELOAD", library_);
    extend("ASAN_OPTIONS", "verify_asan_link_order=0");
    setenv(GABLE_WRITE_FAULTS, door_->name.c_str(), 1);
  }
  void set_unit(unsigned bytes) override { asked_.unit_bytes = bytes; }

  void attach(pid_t program) override {
    program_ = program;
    follower_ = make_follower();
    follower_->attach(program);
    server_.emplace(*door_);
    door_.reset();
  }

  Events read() override {
    Events events = follower_->read();
    for (const Told& told : server_->hear()) take(told, events);
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.seconds < b.seconds; });
    return events;
  }

  void set_rate(double per_second, double) override {
    if (std::exchange(asked_.per_second, per_second) != per_second) server_->ask(asked_);
  }
  void pause() override { set_rate(0, 0); }
  double sample_seconds() override { return sample_seconds_; }
  std::optional<double> cpu_seconds() override { return follower_->cpu_seconds(); }
  Beside beside() const override { return {seconds(Told::What::hidden), seconds(Told::What::looked)}; }
  std::vector<int> descriptors() const override {
    std::vector<int> all = follower_->descriptors();
    if (const auto fd = server_->descriptor()) all.push_back(*fd);
    return all;
  }
  std::uint64_t lost() const override {
    return (follower_ ? follower_->lost() : 0) + tally(Told::What::lost);
  }
  Ended finish() override;

 private:
  void take(const Told& told, Events& events);
  std::uint64_t tally(Told::What what) const {
    const auto found = tallies_.find(what);
    return found == tallies_.end() ? 0 : found->second.number;
  }
  double seconds(Told::What what) const {
    const auto found = tallies_.find(what);
    return found == tallies_.end() ? 0 : found->second.seconds;
  }

  std::string library_;
  double sample_seconds_;
  std::optional<Door> door_;
  std::unique_ptr<Sampler> follower_;
  std::optional<FaultServer> server_;
  pid_t program_ = 0;
  Asked asked_;
  std::map<Told::What, Told> tallies_;
};

void WriteFaults::take(const Told& told, Events& events) {
  if (told.what == Told::What::written)
    events.push_back({Event::Kind::access, told.pid, told.tid, 0, 0, told.address, told.pu, told.seconds});
  else
    tallies_[told.what] = told;
}

std::string counted(std::uint64_t number, const char* what) {
  return std::to_string(number) + (number == 1 ? " process " : " processes ") + what;
}

Sampler::Ended WriteFaults::finish() {
  Events unused;
  for (const Told& told : server_->dismiss()) take(told, unused);
  Ended ended;
  ended.notes.emplace_back(
      "write-faults sees writes to private memory alone: data that is only read, or shared between "
      "processes, has no samples");
  if (!tallies_.contains(Told::What::joined)) {
    ended.notes.emplace_back("the process that serves write faults was killed: the program ran on without");
    ended.managed = false;
    return ended;
  }
  char took[32];
  std::snprintf(took, sizeof took, "%.3f s", seconds(Told::What::spent));
  ended.notes.push_back("the process that serves write faults protected " +
                        std::to_string(tally(Told::What::hidden)) + " units in " + took +
                        " of CPU time, which the overhead has");
  if (const auto number = tally(Told::What::left))
    ended.notes.push_back(counted(number,
                                  "left alone: it has a device, io_uring or a userfaultfd open or a "
                                  "library for one loaded, mutexes, stacks or libraries that protected pages "
                                  "would harm, or threads of real-time priority"));
  if (const auto number = tally(Told::What::unheard))
    ended.notes.push_back(counted(number, "not heard in time, or more than descriptors allow: unmanaged"));
  if (const auto number = tally(Told::What::refused))
    ended.notes.push_back(counted(number, "without a userfaultfd: ") +
                          std::strerror(static_cast<int>(tallies_[Told::What::refused].address)));
  if (const auto number = tally(Told::What::strangers))
    ended.notes.push_back(counted(number, "of other users or namespaces, which nobody looked at"));
  if (tally(Told::What::joined) == 0) {
    ended.notes.emplace_back(
        "nothing that ran has loaded the library that lets writes be seen, as static programs and those with "
        "rights of their own do not: the program ran unmanaged");
    ended.managed = false;
  }
  return ended;
}

// vm.unprivileged_userfaultfd is what lets those do it who lack CAP_SYS_PTRACE; a container may forbid it to
// anybody.
Missing refused(const Settings& settings, int error) {
  if (error == ENOSYS) return {"this kernel has no userfaultfd (CONFIG_USERFAULTFD)", ""};
  if (error == EOPNOTSUPP)
    return {"this kernel's userfaultfd cannot tell who writes which byte (Linux 5.19 can)", ""};
  const std::string now = settings.read(switch_of_kernel).value_or("not there");
  const std::string what = std::string("userfaultfd is refused (") + std::strerror(error) +
                           ", vm.unprivileged_userfaultfd is " + now;
  if (error == EPERM && now == "0") return {what + ")", "sudo sysctl vm.unprivileged_userfaultfd=1"};
  return {what + "; a container needs a seccomp profile that allows it)", ""};
}

Offer make(Settings& settings, double) {
  const std::string file = library();
  if (file.empty())
    return {nullptr, {"libexec/gable/kmaf/write_faults.so is not beside the program: build Gable again", ""}};
  if (file.find_first_of(": $") != std::string::npos)
    return {nullptr, {file + ": LD_PRELOAD cannot name a file with a colon, blank or dollar sign", ""}};
  if (strverscmp(gnu_get_libc_version(), "2.34") < 0)
    return {nullptr, {"it needs glibc 2.34, and there is " + std::string(gnu_get_libc_version()), ""}};
  const UserfaultTrial trial = try_userfault();
  if (trial.error != 0) return {nullptr, refused(settings, trial.error)};
  if (!trial.right)
    return {nullptr,
            {"no samples to rely on: of writes to pages of this process's own some were not seen, or as "
             "somebody else's",
             ""}};
  try {
    return {std::make_unique<WriteFaults>(file, trial.seconds), {}};
  } catch (const std::system_error& error) {
    return {nullptr, {error.what(), ""}};
  }
}

}  // namespace

const SamplerEntry write_faults_sampler = {
    "write-faults", "writes to pages that userfaultfd protects now and then, by a library in the program",
    false, make};

}  // namespace gable::kmaf::live
