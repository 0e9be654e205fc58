#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "particles/particles.h"

namespace fondue::test_particles {
namespace {

constexpr Column<float> warmth{"warmth", "K", "a number that starts with 20", 20, true};
constexpr Column<Vec3> spin{"spin", "1/s", "a vector that starts with 0.5", 0.5f};
constexpr Column<Index> colour{"colour", "1", "an integer that starts with 7", 7};

/// Gives every column a value that follows from the id, so that a row torn apart is seen.
void mark_rows(Particles& particles) {
  const auto ids = particles[columns::id];
  for (Index i = 0; i != particles.size(); ++i) {
    particles[columns::position][i] = Vec3::Constant(float(ids[i]));
    particles[warmth][i] = float(ids[i]) + 100;
    particles[spin][i] = Vec3(float(ids[i]), 1, 2);
    particles[colour][i] = ids[i] + 1000;
  }
}

void expect_whole_rows(const Particles& particles, const std::vector<Index>& ids) {
  ASSERT_EQ(particles.size(), ids.size());
  for (Index i = 0; i != particles.size(); ++i) {
    EXPECT_EQ(particles[columns::id][i], ids[i]);
    EXPECT_EQ(particles[columns::position][i], Vec3::Constant(float(ids[i])));
    EXPECT_EQ(particles[warmth][i], float(ids[i]) + 100);
    EXPECT_EQ(particles[spin][i], Vec3(float(ids[i]), 1, 2));
    EXPECT_EQ(particles[colour][i], ids[i] + 1000);
  }
}

Particles marked_particles(Index count) {
  Particles particles;
  particles.require(warmth);
  particles.require(spin);
  particles.require(colour);
  particles.create(count);
  mark_rows(particles);
  return particles;
}

/// The text of the error that an action throws.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Particles, RemovingKeepsRowsAndTheirOrder) {
  Particles particles = marked_particles(6);
  particles.remove(std::vector<std::uint8_t>{1, 0, 0, 255, 0, 1});
  expect_whole_rows(particles, {1, 2, 4});
  particles.remove(std::vector<std::uint8_t>{0, 0, 0});
  expect_whole_rows(particles, {1, 2, 4});
  particles.remove(std::vector<std::uint8_t>{1, 1, 1});
  expect_whole_rows(particles, {});
}

TEST(Particles, ReorderingMovesWholeRows) {
  Particles particles = marked_particles(5);
  particles.reorder(std::vector<Index>{3, 0, 4, 1, 2});
  expect_whole_rows(particles, {3, 0, 4, 1, 2});
  particles.reorder(std::vector<Index>{1, 3, 4, 0, 2});
  expect_whole_rows(particles, {0, 1, 2, 3, 4});
}

TEST(Particles, CreatingAppendsInitialValuesAndLeavesTheRest) {
  Particles particles = marked_particles(3);
  EXPECT_EQ(particles.create(2), 3u);
  EXPECT_EQ(particles.size(), 5u);
  for (const Index i : {3u, 4u}) {
    EXPECT_EQ(particles[columns::id][i], i);
    EXPECT_EQ(particles[warmth][i], 20);
    EXPECT_EQ(particles[spin][i], Vec3::Constant(0.5f));
    EXPECT_EQ(particles[colour][i], 7u);
  }
  particles.remove(std::vector<std::uint8_t>{0, 0, 0, 1, 1});
  expect_whole_rows(particles, {0, 1, 2});
}

TEST(Particles, IdsAreNeverUsedAgain) {
  Particles particles;
  std::set<Index> seen;
  std::size_t given = 0;
  for (Index round = 1; round != 20; ++round) {
    const Index first = particles.create(round);
    for (const Index id : particles[columns::id].subspan(first)) seen.insert(id);
    given += round;
    std::vector<std::uint8_t> marked(particles.size());
    for (std::size_t i = 0; i < marked.size(); i += 2) marked[i] = 1;
    marked.back() = 1;
    particles.remove(marked);
  }
  EXPECT_EQ(seen.size(), given);
  EXPECT_EQ(particles.next_id(), given);
}

TEST(Particles, RunOutOfIdsWithAnErrorInsteadOfStartingAgain) {
  Particles particles;
  particles.set_next_id(0xfffffffe);
  EXPECT_THROW(particles.create(2), SimulationError);
  EXPECT_EQ(particles.size(), 0u);
  particles.create(1);
  EXPECT_EQ(particles[columns::id][0], 0xfffffffe);
}

TEST(Particles, AColumnAddedLaterStartsWithItsInitialValue) {
  Particles particles;
  particles.create(4);
  const auto positions = particles[columns::position];
  EXPECT_FALSE(particles.has("warmth"));
  for (const float value : particles.require(warmth)) EXPECT_EQ(value, 20);
  for (const Vec3& value : particles.require(spin)) EXPECT_EQ(value, Vec3::Constant(0.5f));
  EXPECT_EQ(particles[warmth].size(), 4u);
  EXPECT_TRUE(particles.has("warmth"));
  EXPECT_EQ(particles[columns::position].data(), positions.data()) << "adding a column must not move the others";
}

TEST(Particles, RequiringAgainKeepsTheValues) {
  Particles particles = marked_particles(3);
  particles.require(warmth);
  particles.require(colour);
  expect_whole_rows(particles, {0, 1, 2});
}

TEST(Particles, AMissingColumnIsNamedInTheError) {
  Particles particles;
  const std::string text = error_of([&] { particles[warmth]; });
  EXPECT_NE(text.find("'warmth'"), std::string::npos) << text;
  EXPECT_NE(text.find("require"), std::string::npos) << text;
}

TEST(Particles, AColumnOfAnotherTypeIsNamedInTheError) {
  Particles particles = marked_particles(1);
  constexpr Column<Vec3> wrong{"warmth", "K", "the name of a number, as a vector"};
  for (const std::string& text : {error_of([&] { particles[wrong]; }), error_of([&] { particles.require(wrong); })}) {
    EXPECT_NE(text.find("'warmth'"), std::string::npos) << text;
    EXPECT_NE(text.find("number"), std::string::npos) << text;
  }
}

TEST(Particles, RefuseMarksAndOrdersThatDoNotFit) {
  Particles particles = marked_particles(3);
  EXPECT_THROW(particles.remove(std::vector<std::uint8_t>{1, 0}), SimulationError);
  EXPECT_THROW(particles.reorder(std::vector<Index>{0, 1}), SimulationError);
  EXPECT_THROW(particles.reorder(std::vector<Index>{0, 1, 1}), SimulationError);
  EXPECT_THROW(particles.reorder(std::vector<Index>{0, 1, 3}), SimulationError);
  expect_whole_rows(particles, {0, 1, 2});
}

TEST(Particles, NoneAtAllWork) {
  Particles particles = marked_particles(0);
  EXPECT_EQ(particles.create(0), 0u);
  particles.remove({});
  particles.reorder({});
  EXPECT_EQ(particles.size(), 0u);
  EXPECT_TRUE(particles[warmth].empty());
  EXPECT_EQ(particles.columns().size(), 5u);
}

TEST(Particles, ColumnsAreListedAsDeclaredInTheOrderOfAsking) {
  Particles particles = marked_particles(2);
  const std::vector<ColumnView> views = particles.columns();
  ASSERT_EQ(views.size(), 5u);
  EXPECT_EQ(views[0].name, "position");
  EXPECT_EQ(views[1].name, "id");
  EXPECT_EQ(views[2].name, "warmth");
  EXPECT_EQ(views[2].unit, "K");
  EXPECT_EQ(views[2].scalar, Scalar::real);
  EXPECT_EQ(views[2].components, 1);
  EXPECT_TRUE(views[2].state);
  EXPECT_EQ(static_cast<float*>(views[2].data)[1], 101);
  EXPECT_EQ(views[3].scalar, Scalar::real);
  EXPECT_EQ(views[3].components, 3);
  EXPECT_FALSE(views[3].state);
  EXPECT_EQ(static_cast<float*>(views[3].data)[3], 1) << "the second particle's first component";
  EXPECT_EQ(views[4].scalar, Scalar::integer);
  EXPECT_EQ(static_cast<Index*>(views[4].data)[1], 1001u);
  EXPECT_EQ(particles.bytes_per_particle(), 4u * (3 + 1 + 1 + 3 + 1));
}

}  // namespace
}  // namespace fondue::test_particles
