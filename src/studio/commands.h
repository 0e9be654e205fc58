#pragma once
// The commands of the studio, one per line, the same for the page, for scripts and for tests; every answer is JSON.
//
//   open NAME [preview]           a scene of the gallery, or NAME.toml in the folder
//   new NAME [like TEMPLATE]      begin a scene
//   set PATH = VALUE              change or add a value of the scene; paths as for --set, values as in TOML
//   remove PATH                   remove a value, a section, an object
//   add LIST = { ... }            add an object, collider, emitter, an element of a list; LIST.NUMBER: before another
//   key PATH TIME = VALUE         add a keyframe, or change the one at this time; a constant becomes a curve
//   move_key PATH NUMBER TIME     move a keyframe
//   remove_key PATH NUMBER        the last one leaves a constant
//   together ["EDIT", ...]        several of the above as one edit
//   text "..."                    replace the whole text of the scene
//   undo, redo
//   play, pause, step, run FRAME  run: until a frame is there
//   show FRAME, show newest       scrub
//   rewind FRAME                  drop what comes after a frame and go on from it
//   branch FRAME [PATH = VALUE]   another take from here on, with a change
//   take NAME, remove_take NAME
//   colour COLUMN [MAP [MIN MAX]]
//   particle X Y Z                columns of the nearest particle that is shown
//   save [NAME], render [FRAME], wait
//   state, scene, statistics, scenes, declarations, help
//
// An answer has "ok": true and what was asked for, or "ok": false, "error" with what is wrong, and for a mistake in the
// scene "mistakes" with line and column.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "studio/session.h"

namespace fondue {

/// Carries out one command; never throws what a user can cause.
nlohmann::json execute(Session& session, std::string_view line);

}  // namespace fondue
