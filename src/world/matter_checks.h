#pragma once
// What behaviours find wrong with the tracks of a scene, before a run.

#include "behaviours/behaviour.h"
#include "world/setup.h"

namespace fondue {

/// Asks every behaviour; report(object, "has ...") is called for each mistake.
void check_matter_of(const WorldSetup& setup, const ReportMistake& report);

}  // namespace fondue
