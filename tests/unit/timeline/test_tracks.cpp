// Curves, and how the tracks of an object blend.

#include <gtest/gtest.h>

#include "timeline/track.h"

namespace fondue {
namespace {

constexpr Parameter amount{.name = "amount", .initial = 3, .keys = Parameter::Keys::attribute};
constexpr Parameter heading{
    .name = "heading", .kind = Parameter::Kind::vector, .initial_vector = {0, 0, 1}, .keys = Parameter::Keys::time};
constexpr const Parameter* parameters[] = {&amount, &heading};
constexpr Column<float> warmth{"warmth", "K", "an attribute"};

Keyable<float> over(const char* name, std::vector<double> keys, std::vector<float> values,
                    Interpolation how = Interpolation::linear) {
  return Keyable<float>(Curve<float>(std::move(keys), std::move(values), how), name);
}

Track track(Keyable<float> value, Keyable<float> weight = 1.0f) {
  Track result{"any", std::move(weight), {}};
  result.values.set(amount, std::move(value));
  return result;
}

Particles two_objects() {
  Particles particles;
  particles.require(columns::object);
  particles.require(warmth);
  particles.create(4);
  for (Index i = 0; i != 4; ++i) {
    particles[columns::object][i] = i / 2;
    particles[warmth][i] = 100.0f * static_cast<float>(i);
  }
  return particles;
}

TEST(Curve, InterpolatesAndHoldsItsEnds) {
  const Curve<float> linear({1, 2, 4}, {10, 20, 0}, Interpolation::linear);
  EXPECT_EQ(linear(0), 10);
  EXPECT_EQ(linear(1.5), 15);
  EXPECT_EQ(linear(3), 10);
  EXPECT_EQ(linear(9), 0);
  EXPECT_EQ(Curve<float>({1, 2}, {10, 20}, Interpolation::step)(1.99), 10);
  const Curve<float> smooth({0, 1}, {0, 1}, Interpolation::smooth);
  EXPECT_EQ(smooth(0.5), 0.5f);
  EXPECT_LT(smooth(0.1), 0.05f) << "starts flat";
}

TEST(Curve, EasesInAndOut) {
  const Curve<float> in({0, 1}, {0, 1}, Interpolation::ease_in), out({0, 1}, {0, 1}, Interpolation::ease_out);
  EXPECT_EQ(in(0.5), 0.25f);
  EXPECT_EQ(out(0.5), 0.75f);
  for (const Interpolation how :
       {Interpolation::linear, Interpolation::smooth, Interpolation::ease_in, Interpolation::ease_out}) {
    EXPECT_EQ(eased(how, 0.0), 0);
    EXPECT_EQ(eased(how, 1.0), 1);
    constexpr double u = 0.3, h = 1e-6;
    EXPECT_NEAR(eased_rate(how, u), (eased(how, u + h) - eased(how, u - h)) / (2 * h), 1e-8);
  }
}

TEST(Curve, RepeatsFromItsFirstKey) {
  const Curve<float> wave({1, 2, 3}, {0, 10, 0}, Interpolation::linear, true);
  EXPECT_EQ(wave(0), 0) << "not before its first key";
  for (const double round : {0.0, 2.0, 20.0}) {
    EXPECT_FLOAT_EQ(wave(1.25 + round), 2.5f);
    EXPECT_FLOAT_EQ(wave(2 + round), 10);
    EXPECT_FLOAT_EQ(wave(2.75 + round), 2.5f);
  }
  EXPECT_EQ(wave.with(std::vector<float>{1, 2, 1})(4), 2) << "with other values too";
}

TEST(Properties, TakeTheDeclaredDefaultWhereNothingIsGiven) {
  const Particles particles = two_objects();
  Properties properties(parameters, {{Track{"any", 1.0f, {}}}, {}});
  properties.update(0, particles);
  EXPECT_EQ(properties.number(amount)(0), 3);
  EXPECT_EQ(properties.vector(heading)(0), Vec3(0, 0, 1));
  EXPECT_EQ(properties.weight()(3), 0) << "an object without the behaviour";
  EXPECT_TRUE(properties.active());
  EXPECT_FALSE(properties.full());
}

TEST(Properties, FollowTime) {
  const Particles particles = two_objects();
  Properties properties(parameters,
                        {{track(over("time", {0, 2}, {0, 10}), over("time", {0, 2}, {0, 1}))}, {track(5.0f)}});
  properties.update(1, particles);
  EXPECT_EQ(properties.number(amount)(0), 5);
  EXPECT_EQ(properties.weight()(0), 0.5f);
  EXPECT_FALSE(properties.full());
  properties.update(2, particles);
  EXPECT_EQ(properties.number(amount)(1), 10);
  EXPECT_TRUE(properties.full());
}

TEST(Properties, FollowParticleAttributes) {
  const Particles particles = two_objects();
  Properties properties(parameters,
                        {{track(over("warmth", {0, 100}, {1, 2}), over("warmth", {0, 100}, {0, 1}))}, {track(7.0f)}});
  properties.update(0, particles);
  EXPECT_EQ(properties.number(amount)(0), 1);
  EXPECT_EQ(properties.number(amount)(1), 2);
  EXPECT_EQ(properties.number(amount)(2), 7) << "the other object has a constant";
  EXPECT_EQ(properties.weight()(0), 0);
  EXPECT_EQ(properties.weight()(1), 1);
}

TEST(Properties, TracksOfOneBehaviourCrossFade) {
  const Particles particles = two_objects();
  Properties properties(parameters,
                        {{track(10.0f, over("time", {0, 1}, {1, 0})), track(30.0f, over("time", {0, 1}, {0, 1}))}, {}});
  for (const auto& [time, expected] : {std::pair{0.0, 10.0f}, std::pair{0.25, 15.0f}, std::pair{1.0, 30.0f}}) {
    properties.update(time, particles);
    EXPECT_FLOAT_EQ(properties.number(amount)(0), expected);
    EXPECT_FLOAT_EQ(properties.weight()(0), 1);
  }
}

/// 1 - w and w add up to 1 but for rounding, which must not make a full weight a partial one.
TEST(Properties, ACrossFadeKeepsTheFullWeight) {
  const Particles particles = two_objects();
  const std::vector<Track> fade = {track(10.0f, over("time", {0, 1}, {1, 0})),
                                   track(30.0f, over("time", {0, 1}, {0, 1}))};
  Properties properties(parameters, {fade, fade});
  for (int k = 0; k <= 100; ++k) {
    properties.update(0.01 * k, particles);
    EXPECT_TRUE(properties.full()) << k;
  }
}

TEST(Properties, WeightsAddUpToAtMostOne) {
  const Particles particles = two_objects();
  Properties properties(parameters, {{track(1.0f, 0.8f), track(1.0f, 0.7f)}, {}});
  properties.update(0, particles);
  EXPECT_EQ(properties.weight()(0), 1);
}

}  // namespace
}  // namespace fondue
