#pragma once
// Shared by the benchmarks.

#include <functional>
#include <string>

namespace fondue {

/// Wall-clock time of a task [s].
double seconds_of(const std::function<void()>& work);

/// fondue bench --pictures: reconstruction of 100k and 1M particles with every field, and previews per second.
void bench_pictures(const std::string& json_file, double seconds, double largest);
/// fondue bench --bodies: an elastic body of 20k particles over its stiffness, and water with bodies.
void bench_bodies(const std::string& json_file, double seconds, double largest);
/// fondue bench --studio: frames per second of a stream of 205k particles, and what it costs the simulation.
void bench_studio(const std::string& json_file, double seconds, double largest);
/// fondue bench --scenes: whole runs of scenes, those of the cited papers compared with the times published there;
/// quick: a stretch in the middle of each.
void bench_scenes(const std::string& json_file, double seconds, double largest, bool quick);

}  // namespace fondue
