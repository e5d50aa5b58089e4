#pragma once

// Standard input for a program that runs several times: every run reads the same input.

#include <sys/types.h>

#include <atomic>
#include <thread>

namespace gable::cli {

/// As long as the object lives, programs that this process starts read this process's standard input: a file
/// from its current position, and the data of a pipe, which is saved for the later runs. A terminal is passed
/// on unchanged.
class RepeatedInput {
 public:
  RepeatedInput();
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;

  /// Must be called before every run except the first.
  void again();

  /// The first run reads a pipe, the later ones a file.
  bool was_pipe() const { return kept_ >= 0; }

 private:
  void pass_on();

  off_t offset_ = -1;               ///< of a file; -1: not a file
  int source_ = -1, sink_ = -1;     ///< of a pipe: where it comes from, where the first run reads
  int kept_ = -1;                   ///< the saved data
  std::atomic<bool> done_ = false;  ///< the first run has ended
  std::thread passing_;
};

/// As long as the object lives, standard output and error of started programs are discarded.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int out_ = -1, error_ = -1;
};

}  // namespace gable::cli
