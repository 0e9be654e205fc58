#include <gtest/gtest.h>

#include "behaviours/behaviour.h"
#include "scene/scene.h"
#include "scene/sections.h"
#include "scene/shape_types.h"

namespace fondue {
namespace {

void expect_mentioned(const std::string& text, std::span<const Parameter* const> parameters) {
  for (const Parameter* p : parameters) {
    EXPECT_NE(text.find(p->name), std::string::npos) << p->name;
    EXPECT_NE(text.find(p->help), std::string::npos) << p->name;
    EXPECT_NE(text.find(p->unit), std::string::npos) << p->name;
    for (const std::string_view choice : p->choices) EXPECT_NE(text.find(choice), std::string::npos) << choice;
  }
}

TEST(SceneReference, MentionsEverythingDeclared) {
  for (const ReferenceFormat format : {ReferenceFormat::text, ReferenceFormat::markdown}) {
    const std::string text = reference(format);
    for (const RegisteredBehaviour& registered : behaviour_registry()) {
      EXPECT_NE(text.find(registered.info->name), std::string::npos);
      EXPECT_NE(text.find(registered.info->help), std::string::npos);
      EXPECT_NE(text.find(registered.info->source), std::string::npos);
      expect_mentioned(text, registered.info->parameters);
    }
    for (const Section* section : sections::all()) {
      EXPECT_NE(text.find(section->header), std::string::npos);
      expect_mentioned(text, section->parameters);
      for (const Part& part : section->parts) EXPECT_NE(text.find(part.help), std::string::npos) << part.name;
    }
    for (const ShapeType& type : shape_types()) {
      EXPECT_NE(text.find(type.help), std::string::npos) << type.name;
      expect_mentioned(text, type.parameters);
    }
  }
}

TEST(SceneReference, StatesRangeDefaultAndDrivers) {
  EXPECT_NE(
      reference(ReferenceFormat::markdown).find("| `weight` | number, between 0 and 1 |  | `1` | time, attribute |"),
      std::string::npos);
  EXPECT_NE(reference(ReferenceFormat::text).find("(number, greater than 0; in m; required)"), std::string::npos);
}

}  // namespace
}  // namespace fondue
