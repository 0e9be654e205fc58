#pragma once
// A run that goes on from a frame in a file.

#include "cache/frame.h"
#include "support/bits.h"
#include "support/setups.h"
#include "support/temporary_folder.h"

namespace fondue::testing_support {

/// The world as it is after it was written to a frame and read again.
inline World resumed_from_file(const World& world, const PairLoops& loops = chosen_pair_loops()) {
  const TemporaryFolder folder;
  FrameHeader header;
  header.dimension = world.setup().dimension;
  header.time = world.time();
  header.state = world.state();
  write_frame(folder / "frame.h5", header, world.particles(), {}, {});
  Frame frame = read_frame(folder / "frame.h5");
  return World(world.setup(), std::move(frame.particles), frame.header.state, loops);
}

/// A run that is interrupted some steps after a time, as by Ctrl-C, and resumed comes to the same end.
inline void expect_resumed_the_same(const WorldSetup& setup, double time, double end,
                                    const PairLoops& loops = chosen_pair_loops()) {
  World world(setup, loops);
  run_until(world, time);
  for (int k = 0; k != 3; ++k) world.step(end);
  World resumed = resumed_from_file(world, loops);
  run_until(world, end);
  run_until(resumed, end);
  expect_same_bits(world, resumed);
}

}  // namespace fondue::testing_support
