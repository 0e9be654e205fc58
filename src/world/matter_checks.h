#pragma once
// What behaviours find wrong with the tracks of a scene, before a run.

#include "behaviours/behaviour.h"
#include "world/setup.h"

namespace fondue {

/// The matter of a setup as behaviours see it; valid as long as that is.
MatterOutline outline_of(const WorldSetup& setup);
/// Asks every behaviour; report(object, "has ...") is called for each mistake.
void check_matter_of(const WorldSetup& setup, const ReportMistake& report);

}  // namespace fondue
