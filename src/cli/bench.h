#pragma once
// Shared by the benchmarks.

#include <functional>
#include <string>

namespace fondue {

/// Wall-clock time of a task [s].
double seconds_of(const std::function<void()>& work);

/// fondue bench --pictures: reconstruction of 100k and 1M particles with every field, and previews per second.
void bench_pictures(const std::string& json_file, double seconds, double largest);
/// fondue bench --sources: the animations of the cited papers compared with the times published there.
void bench_sources(const std::string& json_file, double seconds, double largest);

}  // namespace fondue
