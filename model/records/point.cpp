#include "model/records/point.hpp"

namespace gable::model {
namespace {

template <typename Record>
Record& add_amounts(Record& to, const Record& more) {
  for (const auto amount : Record::amounts) to.*amount += more.*amount;
  return to;
}

template <typename Record>
Record& scale_amounts(Record& record, double part) {
  for (const auto amount : Record::amounts) record.*amount *= part;
  return record;
}

}  // namespace

LevelBytes& LevelBytes::operator+=(const LevelBytes& more) {
  return add_amounts(*this, more);
}

LevelBytes& LevelBytes::operator*=(double part) {
  return scale_amounts(*this, part);
}

CriticalPath& CriticalPath::operator+=(const CriticalPath& more) {
  for (const LatencyClassRow& of : latency_class_rows) (*this)[of.value] += more[of.value];
  return *this;
}

CriticalPath& CriticalPath::operator*=(double part) {
  for (double& of : operations) of *= part;
  return *this;
}

Instructions& Instructions::operator+=(const Instructions& more) {
  path += more.path;
  return add_amounts(*this, more);
}

Instructions& Instructions::operator*=(double part) {
  path *= part;
  return scale_amounts(*this, part);
}

PageWalks& PageWalks::operator+=(const PageWalks& more) {
  return add_amounts(*this, more);
}

Translation& Translation::operator*=(double part) {
  scale_amounts(small, part);
  scale_amounts(huge, part);
  return *this;
}

FunctionKey key_of(const FunctionWork& work) {
  return {work.function, work.object, work.loop};
}

bool is_small(const FunctionWork& work, const Point& point) {
  constexpr double small = 1e-3;
  return work.samples <= small * point.samples.all && work.flops <= small * point.flops &&
         work.instructions.executed <= small * point.instructions.executed &&
         work.load_bytes + work.store_bytes <= small * (point.load_bytes + point.store_bytes);
}

Point point_of(const Point& point, const FunctionWork& work) {
  Point part = point;
  part.functions.clear();
  part.objects.clear();
  part.flops = work.flops;
  part.arithmetic = work.arithmetic;
  part.load_bytes = work.load_bytes;
  part.store_bytes = work.store_bytes;
  part.levels = work.levels;
  part.instructions = work.instructions;
  part.translation = work.translation;
  part.span = 0;
  return part;
}

}  // namespace gable::model
