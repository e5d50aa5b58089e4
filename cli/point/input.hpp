#pragma once

// Standard input for a program that runs several times: every run reads the same input.

#include <sys/types.h>

#include <atomic>
#include <thread>

#include "base/owned.hpp"

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
  bool was_pipe() const { return bool(kept_); }

 private:
  void pass_on();

  off_t offset_ = -1;               ///< of a file; -1: not a file
  Descriptor source_, sink_;        ///< of a pipe: where it comes from, where the first run reads
  Descriptor kept_;                 ///< the saved data
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
  Descriptor out_, error_;
};

}  // namespace gable::cli
