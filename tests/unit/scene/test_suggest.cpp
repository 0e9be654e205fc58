#include <gtest/gtest.h>

#include <vector>

#include "scene/suggest.h"

namespace fondue {
namespace {

const std::vector<std::string> known = {"rest_density", "dynamic_viscosity", "time", "box", "filling"};

TEST(Suggestion, IsTheNearestWord) {
  EXPECT_EQ(suggestion("rest_densiy", known), "; did you mean 'rest_density'?") << "a letter left out";
  EXPECT_EQ(suggestion("tiem", known), "; did you mean 'time'?") << "two letters swapped";
  EXPECT_EQ(suggestion("denisty", known), "; did you mean 'rest_density'?") << "a typo in a part of the name";
  EXPECT_EQ(suggestion("viscosity", known), "; did you mean 'dynamic_viscosity'?") << "a part of the name";
  EXPECT_EQ(suggestion("density_rest", known), "; did you mean 'rest_density'?") << "parts in another order";
  EXPECT_EQ(suggestion("Rest-Density", known), "; did you mean 'rest_density'?") << "another way of writing";
  EXPECT_EQ(suggestion("boks", known), "; did you mean 'box'?");
}

TEST(Suggestion, IsAllWordsWhenNoneIsNear) {
  EXPECT_EQ(suggestion("colour", known), "; it can be rest_density, dynamic_viscosity, time, box, filling");
  EXPECT_EQ(suggestion("colour", {}), "");
}

TEST(Suggestion, VeryLongWordsHaveNone) {
  EXPECT_EQ(suggestion(std::string(100000, 'x'), known), suggestion("colour", known));
}

}  // namespace
}  // namespace fondue
