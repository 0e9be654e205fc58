#pragma once
// What the benchmarks share.

#include <functional>
#include <string>

namespace fondue {

/// Time that work takes, by the clock on the wall.
double seconds_of(const std::function<void()>& work);

/// fondue bench --pictures: surfaces of 100k and 1M particles by every field, and previews a second.
void bench_pictures(const std::string& json_file, double seconds, double largest);
/// fondue bench --sources: the animations of the sources beside the times they print.
void bench_sources(const std::string& json_file, double seconds, double largest);

}  // namespace fondue
