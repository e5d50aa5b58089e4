#include "model/points/verdict.hpp"

namespace gable::model {

void Verdict::add(const std::string& remark) {
  if (!remark.empty()) remarks.push_back(remark);
}

std::string Verdict::text() const {
  std::string text = answer;
  if (!advice.empty()) text += "; " + advice;
  if (!remarks.empty()) text += ".";
  for (const std::string& remark : remarks) text += " " + remark;
  return text;
}

}  // namespace gable::model
