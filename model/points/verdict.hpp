#pragma once

// What binds a Point, in words.

#include <string>
#include <vector>

namespace gable::model {

/// The answers come first: bound by what, how sure, one thing to do. Figures follow.
struct Verdict {
  std::string answer;  ///< a clause without a full stop; where it has no subject, the subject is the Point
  std::string advice = {};  ///< one thing to do, without a full stop; empty: nothing that is known helps
  std::vector<std::string> remarks = {};  ///< whole sentences, the most important first

  bool empty() const { return answer.empty(); }
  /// Adds a remark that is not empty.
  void add(const std::string& remark) {
    if (!remark.empty()) remarks.push_back(remark);
  }
  /// All of it as one paragraph.
  std::string text() const {
    std::string text = answer;
    if (!advice.empty()) text += "; " + advice;
    if (!remarks.empty()) text += ".";
    for (const std::string& remark : remarks) text += " " + remark;
    return text;
  }
};

}  // namespace gable::model
