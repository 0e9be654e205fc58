#include <gtest/gtest.h>

#include "cache/particle_geometry.h"
#include "core/error.h"
#include "geometries.h"
#include "support.h"

namespace fondue::test {

namespace {

std::vector<std::string> names_of(const Geometry& geometry) {
  std::vector<std::string> names;
  for (const Geometry::Attribute& attribute : geometry.attributes) names.push_back(attribute.name);
  return names;
}

Frame some_frame(Index particles) { return {some_header(), random_particles(particles, 7), {}}; }

}  // namespace

TEST(ParticleGeometry, HasEveryColumnButPositionWhenNoneIsNamed) {
  const Frame frame = some_frame(20);
  const Geometry geometry = particle_geometry(frame, {});
  EXPECT_EQ(names_of(geometry), (std::vector<std::string>{"velocity", "temperature", "object", "mass", "colour"}));
  const auto positions = frame.particles[columns::position];
  const auto ids = frame.particles[columns::id];
  EXPECT_TRUE(same_bytes(geometry.mesh.vertices, std::vector<Vec3>(positions.begin(), positions.end())));
  EXPECT_EQ(geometry.ids, std::vector<Index>(ids.begin(), ids.end()));
  EXPECT_TRUE(geometry.mesh.triangles.empty());
}

TEST(ParticleGeometry, VelocityComesFirstAndNamedColumnsOnceInTheirOrder) {
  const std::vector<std::string> columns = {"object", "temperature", "velocity", "id", "position", "object"};
  const Frame frame = some_frame(20);
  const Geometry geometry = particle_geometry(frame, columns);
  EXPECT_EQ(names_of(geometry), (std::vector<std::string>{"velocity", "object", "temperature"}));
  EXPECT_EQ(geometry.find("velocity")->components, 3);
  EXPECT_EQ(geometry.find("velocity")->unit, "m/s");
  const auto T = frame.particles[temperature];
  EXPECT_TRUE(same_bytes(geometry.find("temperature")->values, std::vector<float>(T.begin(), T.end())));
}

TEST(ParticleGeometry, WholeNumbersBecomeTheSameNumbers) {
  Frame frame = some_frame(3);
  const auto object = frame.particles[columns::object];
  object[0] = 0, object[1] = 5, object[2] = 1 << 24;
  const Geometry geometry = particle_geometry(frame, {});
  EXPECT_EQ(geometry.find("object")->values, (std::vector<float>{0, 5, 16777216}));
}

TEST(ParticleGeometry, ColumnsKeepTheirComponents) {
  const Frame frame{some_header(), random_bodies(20, 3), {}};
  const Geometry geometry = particle_geometry(frame, {});
  EXPECT_EQ(geometry.find("stress")->components, 6);
  EXPECT_EQ(geometry.find("gradient")->components, 9);
  EXPECT_EQ(geometry.find("corners")->components, 2);
  const auto tensors = frame.particles[stress];
  EXPECT_TRUE(same_bytes(geometry.find("stress")->values, std::vector<Vec6>(tensors.begin(), tensors.end())));
}

TEST(ParticleGeometry, NoParticlesKeepTheirColumns) {
  const Geometry geometry = particle_geometry(some_frame(0), {});
  EXPECT_TRUE(geometry.mesh.vertices.empty());
  EXPECT_EQ(geometry.attributes.size(), 5u);
}

TEST(ParticleGeometry, AnUnknownColumnIsRefusedWithTheNearestAndAllKnownOnes) {
  const std::vector<std::string> near = {"temprature"}, far = {"qwertyuiop"};
  const std::string message = message_of<InputError>([&] { particle_geometry(some_frame(1), near); });
  EXPECT_NE(message.find("'temprature'; did you mean 'temperature'?"), std::string::npos) << message;
  for (const std::string& text : {message, message_of<InputError>([&] { particle_geometry(some_frame(1), far); })})
    EXPECT_NE(text.find("position, id, velocity, temperature, object, mass, colour"), std::string::npos) << text;
}

}  // namespace fondue::test
