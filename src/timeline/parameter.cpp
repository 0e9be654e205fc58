#include "timeline/parameter.h"

#include <cmath>

namespace fondue {

bool Values::given(const Parameter& p) const {
  return numbers_.count(p.name) || vectors_.count(p.name) || texts_.count(p.name);
}

std::multimap<std::string, Parameter::Kind> Values::kinds() const {
  std::multimap<std::string, Parameter::Kind> kinds;
  for (const auto& [name, value] : numbers_) kinds.emplace(name, Parameter::Kind::number);
  for (const auto& [name, value] : vectors_) kinds.emplace(name, Parameter::Kind::vector);
  for (const auto& [name, value] : texts_) kinds.emplace(name, Parameter::Kind::text);
  return kinds;
}

Keyable<float> Values::number(const Parameter& p) const {
  const auto found = numbers_.find(p.name);
  return found != numbers_.end() ? found->second : Keyable<float>(static_cast<float>(p.initial));
}

Keyable<Vec3> Values::vector(const Parameter& p) const {
  const auto found = vectors_.find(p.name);
  const Vec3 initial(p.initial_vector[0], p.initial_vector[1], p.initial_vector[2]);
  return found != vectors_.end() ? found->second : Keyable<Vec3>(initial);
}

int Values::integer(const Parameter& p) const { return static_cast<int>(std::lround(number(p).at(0))); }

std::string Values::text(const Parameter& p) const {
  const auto found = texts_.find(p.name);
  return found != texts_.end() ? found->second : std::string(p.initial_text);
}

}  // namespace fondue
