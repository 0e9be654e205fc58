// Columns of any number of components: every operation of the store moves whole values.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "core/error.h"
#include "particles/particles.h"

namespace fondue::test_columns {
namespace {

constexpr Column<Vec6> stress{"stress", "Pa", "six numbers that start with 2", 2, true};
constexpr Column<Mat3> gradient{"gradient", "1", "nine numbers", 0, true};
constexpr Column<std::array<float, 5>> fractions{"fractions", "1", "five numbers", 0.2f};
constexpr Column<std::array<Index, 2>> corners{"corners", "1", "two integers that start with 9", 9};

/// Values that follow from the id.
Vec6 stress_of(Index id) { return Vec6::LinSpaced(float(id), float(id) + 5); }
Mat3 gradient_of(Index id) { return Mat3::Constant(float(id)) + Mat3::Identity(); }

void expect_values_follow_ids(const Particles& particles) {
  for (Index i = 0; i != particles.size(); ++i) {
    const Index id = particles[columns::id][i];
    EXPECT_EQ(particles[stress][i], stress_of(id));
    EXPECT_EQ(particles[gradient][i], gradient_of(id));
    EXPECT_EQ(particles[fractions][i], (std::array<float, 5>{float(id), 1, 2, 3, 4}));
    EXPECT_EQ(particles[corners][i], (std::array<Index, 2>{id, 4000000000u}));
  }
}

Particles some_particles(Index count) {
  Particles particles;
  particles.require(stress);
  particles.create(count);
  particles.require(gradient);
  particles.require(fractions);
  particles.require(corners);
  for (Index i = 0; i != count; ++i) {
    particles[stress][i] = stress_of(i);
    particles[gradient][i] = gradient_of(i);
    particles[fractions][i] = {float(i), 1, 2, 3, 4};
    particles[corners][i] = {i, 4000000000u};
  }
  return particles;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Columns, OfAnyWidthFollowTheirParticles) {
  Particles particles = some_particles(1000);
  std::mt19937 random(1);
  for (int round = 0; round != 6; ++round) {
    std::vector<Index> order(particles.size());
    for (Index i = 0; i != order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    particles.reorder(order);
    expect_values_follow_ids(particles);
    std::vector<std::uint8_t> marked(particles.size());
    for (auto& mark : marked) mark = random() % 4 == 0;
    particles.remove(marked);
    expect_values_follow_ids(particles);
  }
}

TEST(Columns, OfAnyWidthStartWithTheirInitialValueInEveryComponent) {
  Particles particles = some_particles(3);
  const Index fresh = particles.create(2);
  for (const Index i : {fresh, fresh + 1}) {
    EXPECT_EQ(particles[stress][i], Vec6::Constant(2));
    EXPECT_EQ(particles[corners][i], (std::array<Index, 2>{9, 9}));
  }
}

TEST(Columns, AreDescribedByScalarAndComponents) {
  const Particles particles = some_particles(1);
  const std::vector<ColumnView> views = particles.columns();
  const std::vector<std::pair<Scalar, int>> expected = {{Scalar::real, 3}, {Scalar::integer, 1}, {Scalar::real, 6},
                                                        {Scalar::real, 9}, {Scalar::real, 5},    {Scalar::integer, 2}};
  ASSERT_EQ(views.size(), expected.size());
  for (std::size_t c = 0; c != views.size(); ++c)
    EXPECT_EQ((std::pair{views[c].scalar, views[c].components}), expected[c]) << views[c].name;
}

TEST(Columns, MadeWithoutTheirTypeAreAcceptedByADeclarationOfTheSameShapeOnly) {
  Particles particles;
  particles.create(2);
  ColumnInfo unknown = info_of(stress);
  unknown.rule = MergeRule::keep;
  auto* values = static_cast<float*>(particles.require(unknown));
  values[7] = 42;
  EXPECT_EQ(particles.require(stress)[1][1], 42);
  EXPECT_EQ(particles.columns().back().rule, MergeRule::mean) << "the declaration knows the rule";
  constexpr Column<Vec3> narrow{"stress", "Pa", "half of it"};
  constexpr Column<std::array<Index, 6>> whole{"stress", "Pa", "integers"};
  for (const std::string& text :
       {error_of([&] { particles.require(narrow); }), error_of([&] { particles.require(whole); })}) {
    EXPECT_NE(text.find("'stress' holds 6 real numbers per particle"), std::string::npos) << text;
  }
  EXPECT_EQ(particles[stress][1][1], 42);
}

TEST(Columns, OfIntegersCannotBeAveraged) {
  Particles particles;
  constexpr Column<Index> wrong{"colour", "1", "an integer", 0, false, MergeRule::mean};
  EXPECT_NE(error_of([&] { particles.require(wrong); }).find("'colour' holds integers"), std::string::npos);
  EXPECT_FALSE(particles.has("colour"));
}

TEST(Columns, HaveAMagnitude) {
  Particles particles;
  particles.require(columns::velocity);
  particles.require(columns::mass);
  particles.require(stress);
  particles.create(500);
  std::mt19937 random(2);
  std::normal_distribution<float> number;
  for (Vec3& v : particles[columns::velocity]) v = Vec3(number(random), number(random), number(random));
  particles[columns::mass][3] = -0.1f;
  particles[stress][3] << 1, 1, 1, 1, 2, -1;
  for (const ColumnView& column : particles.columns()) {
    if (column.name == "id") {
      EXPECT_EQ(magnitude(column, 3), 3);
    } else if (column.name == "mass") {
      EXPECT_EQ(magnitude(column, 3), double(-0.1f)) << "a number keeps its sign";
    } else if (column.name == "stress") {
      EXPECT_EQ(magnitude(column, 3), 3);
    } else if (column.name == "velocity") {
      for (Index i = 0; i != particles.size(); ++i)
        EXPECT_EQ(float(magnitude(column, i)), particles[columns::velocity][i].norm()) << "every bit of the norm";
    }
  }
}

}  // namespace fondue::test_columns
