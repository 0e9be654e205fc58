#include "studio/answers.h"

#include "scene/template.h"
#include "studio/json.h"

namespace fondue {

using nlohmann::json;

namespace {

double component(const ColumnView& column, Index row, int k) {
  const std::size_t at =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(column.components) + static_cast<std::size_t>(k);
  if (column.scalar == Scalar::integer) return static_cast<const Index*>(column.data)[at];
  return static_cast<const float*>(column.data)[at];
}

}  // namespace

json state_of(Session& session) {
  json state = {{"open", session.has_scene()}, {"playing", session.playing()}, {"message", session.message()}};
  state["renderings"] = json::array();
  for (const Session::Rendering& one : session.renderings())
    state["renderings"].push_back(
        {{"take", one.take}, {"what", one.what}, {"file", one.file.filename().string()}, {"outcome", one.outcome}});
  if (!session.has_scene()) return state;
  Take& take = session.take();
  state["scene"] = take.scene().name;
  state["file"] = take.file().filename().string();
  state["changed"] = take.changed();
  state["edits"] = take.edits();
  state["take"] = take.name();
  state["takes"] = json::array();
  for (const auto& one : session.takes())
    state["takes"].push_back({{"name", one->name()},
                              {"parent", one->parent()},
                              {"branched_at", one->branched_at()},
                              {"last_frame", one->last_frame()}});
  state["last_frame"] = take.last_frame();
  state["frames"] = take.scene().frames();
  state["frames_per_second"] = take.scene().frames_per_second;
  state["duration"] = take.scene().duration;
  state["shown"] = session.shown() ? json(*session.shown()) : json(nullptr);
  state["can_undo"] = take.can_undo();
  state["can_redo"] = take.can_redo();
  state["notes"] = take.notes();
  if (const Simulation* simulation = take.simulation()) {
    state["time"] = simulation->time();
    state["steps"] = simulation->steps();
    state["particles"] = simulation->particles().size();
    state["step_size"] = simulation->world().last_step();
  }
  if (const Statistics* statistics = take.statistics(); statistics && !statistics->limited_by.empty()) {
    state["limited_by"] = statistics->limited_by;
    state["limiting_object"] = statistics->limiting_object;
  }
  return state;
}

json scene_of(Session& session) {
  const Take& take = session.take();
  return {{"text", take.text()},
          {"written", toml_as_json(take.text())},
          {"effective", toml_as_json(take.scene().effective)},
          {"file", take.file().filename().string()},
          {"name", take.scene().name},
          {"help", take.scene().help}};
}

json nearest_particle(Session& session, const Vec3& point) {
  Take& take = session.take();
  std::optional<Frame> saved;
  if (session.shown() || !take.simulation()) saved = take.frame(session.shown().value_or(take.last_frame()));
  const Particles& particles = saved ? saved->particles : take.simulation()->particles();
  if (particles.size() == 0) throw InputError("there are no particles");
  const auto position = particles[columns::position];
  Index nearest = 0;
  for (Index i = 0; i != particles.size(); ++i)
    if ((position[i] - point).squaredNorm() < (position[nearest] - point).squaredNorm()) nearest = i;
  json columns_ = json::array();
  for (const ColumnView& column : particles.columns()) {
    json values = json::array();
    for (int k = 0; k != column.components; ++k) values.push_back(component(column, nearest, k));
    columns_.push_back({{"name", column.name}, {"unit", column.unit}, {"values", std::move(values)}});
  }
  const Index object = particles[columns::object][nearest];
  const auto& objects = take.scene().world.objects;
  return {{"object", object < objects.size() ? objects[object].name : ""}, {"columns", std::move(columns_)}};
}

json gallery(Session& session) {
  json scenes = json::array();
  const auto add = [&](const std::filesystem::path& folder, bool own) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files) {
      const json tree = toml_as_json(text_of_file(file));
      const json head = tree.is_object() ? tree.value("scene", json::object()) : json::object();
      if (!head.is_object() || !head.contains("spacing")) continue;
      const bool described = head.contains("help") && head["help"].is_string();
      scenes.push_back({{"name", own ? file.filename().string() : file.stem().string()},
                        {"own", own},
                        {"help", described ? head["help"] : json("")}});
    }
  };
  std::error_code error;
  if (!std::filesystem::equivalent(session.setup().folder, session.setup().gallery, error))
    add(session.setup().folder, true);
  add(session.setup().gallery, false);
  return {{"scenes", std::move(scenes)}, {"templates", template_names(session.setup().gallery)}};
}

}  // namespace fondue
