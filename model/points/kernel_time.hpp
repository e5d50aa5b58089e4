#pragma once

// The part of a Point's time that the kernel took: no roof is the limit of page faults and system calls.

#include <string>

#include "model/records/point.hpp"

namespace gable::model {

/// The share of its CPU time outside the kernel; 1 if it is not known.
double user_share(const Point& point);

/// Whether the kernel took a part of its CPU time that is worth a word.
bool is_much_in_kernel(const Point& point);

/// The part of its threads' time that the kernel took; 0 if it is not known.
double kernel_share(const Point& point);

/// "1 page fault", "850 page faults", "250 thousand page faults", "1.25 million page faults"
std::string faults_text(double faults);

/// "38 % of its CPU time, with 250 thousand page faults", and what helps.
std::string kernel_figures(const Point& point);
std::string kernel_advice(const Point& point);

/// "The kernel took 38 % of its CPU time, with 250 thousand page faults: ...", with what helps; empty if it
/// took little.
std::string kernel_remark(const Point& point);

}  // namespace gable::model
