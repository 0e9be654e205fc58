// fondue reference: every parameter with unit, range, default and help.

#include <fmt/format.h>

#include "cli/commands.h"
#include "scene/scene.h"

namespace fondue {

void add_reference(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reference", "Print every parameter with unit, range, default and help");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "as Markdown (docs/reference.md is made with this)");
  command->callback(
      [markdown] { fmt::print("{}", reference(*markdown ? ReferenceFormat::markdown : ReferenceFormat::text)); });
}

}  // namespace fondue
