#include "studio/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <functional>
#include <map>

#include "picture/colour_map.h"
#include "scene/reading.h"
#include "scene/scene_text.h"
#include "scene/suggest.h"
#include "scene/template.h"
#include "studio/json.h"
#include "studio/keyframes.h"
#include "studio/tables.h"

namespace fondue {

using nlohmann::json;

namespace {

constexpr std::size_t longest_line = 1 << 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

/// What follows the name of a command, word by word.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(trimmed(text)) {}

  bool empty() const { return rest_.empty(); }
  /// The next word; InputError that says what is missing.
  std::string word(const char* what) {
    if (rest_.empty()) throw InputError(fmt::format("{} is missing", what));
    // A path may have quoted words with blanks in them.
    std::size_t end = 0;
    for (char quote = 0; end != rest_.size() && (quote || !std::isspace(static_cast<unsigned char>(rest_[end]))); ++end)
      if (rest_[end] == '"') quote = quote ? 0 : '"';
    const std::string result(rest_.substr(0, end));
    rest_ = trimmed(rest_.substr(end));
    return result;
  }
  /// The only word that is left.
  std::string last(const char* what) {
    std::string result = word(what);
    end();
    return result;
  }
  template <class Number>
  Number number(const char* what) {
    const std::string text = word(what);
    Number result{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    bool finite = true;
    if constexpr (std::is_floating_point_v<Number>) finite = std::isfinite(result);
    if (error != std::errc{} || end != text.data() + text.size() || !finite)
      throw InputError(fmt::format("{} must be a number, got '{}'", what, text));
    return result;
  }
  /// What comes after the equals sign.
  std::string value() {
    if (!rest_.starts_with('=')) throw InputError("'= VALUE' is missing");
    const std::string result(trimmed(rest_.substr(1)));
    rest_ = {};
    if (result.empty()) throw InputError("the value is missing");
    return result;
  }
  std::string_view rest() {
    const std::string_view all = rest_;
    rest_ = {};
    return all;
  }
  void end() const {
    if (!rest_.empty()) throw InputError(fmt::format("'{}' is too much", rest_.substr(0, 40)));
  }

 private:
  std::string_view rest_;
};

json scene_of(Session& session) {
  const Take& take = session.take();
  return {{"text", take.text()},
          {"written", toml_as_json(take.text())},
          {"effective", toml_as_json(take.scene().effective)},
          {"file", take.file().filename().string()},
          {"name", take.scene().name},
          {"help", take.scene().help}};
}

/// Changes of the text of a scene.
using Edit = std::function<void(SceneText&, Words&, const Scene&)>;
struct EditCommand {
  const char* usage;
  Edit run;
};

const std::map<std::string, EditCommand, std::less<>>& edits() {
  static const std::map<std::string, EditCommand, std::less<>> all = {
      {"set",
       {"PATH = VALUE",
        [](SceneText& text, Words& w, const Scene&) {
          const std::string path = w.word("a path");
          text.set(path, w.value());
        }}},
      {"remove", {"PATH", [](SceneText& text, Words& w, const Scene&) { text.remove(w.last("a path")); }}},
      {"add",
       {"LIST = { ... }",
        [](SceneText& text, Words& w, const Scene&) {
          const std::string list = w.word("a list such as colliders");
          text.add(list, w.value());
        }}},
      {"key",
       {"PATH TIME = VALUE",
        [](SceneText& text, Words& w, const Scene& scene) {
          const std::string path = w.word("a path");
          const double time = w.number<double>("the time");
          set_key(text, path, time, w.value(), scene.frames_per_second);
        }}},
      {"move_key",
       {"PATH NUMBER TIME",
        [](SceneText& text, Words& w, const Scene& scene) {
          const std::string path = w.word("a path");
          const int number = w.number<int>("the number of the key");
          const double time = w.number<double>("the time");
          w.end();
          move_key(text, path, number, time, scene.frames_per_second);
        }}},
      {"remove_key", {"PATH NUMBER", [](SceneText& text, Words& w, const Scene&) {
                        const std::string path = w.word("a path");
                        const int number = w.number<int>("the number of the key");
                        w.end();
                        remove_key(text, path, number);
                      }}}};
  return all;
}

/// Carries out edits of the text as one and answers what is left of the frames.
json edited(Session& session, const std::function<void(SceneText&)>& edit) {
  Take& take = session.take();
  SceneText text(take.text());
  edit(text);
  const int before = take.last_frame(), left = session.edit(text.text());
  return {{"frames_left", left + 1}, {"frames_removed", before - left}};
}

json edited_together(Session& session, std::string_view lines) {
  const json list = json::parse(lines, nullptr, false);
  if (!list.is_array() || !std::ranges::all_of(list, [](const json& one) { return one.is_string(); }))
    throw InputError("edits are a list of commands in quotes, as in JSON");
  return edited(session, [&](SceneText& text) {
    for (const std::string line : list) {
      Words words(line);
      const std::string name = words.word("an edit");
      const auto edit = edits().find(name);
      if (edit == edits().end()) throw InputError(fmt::format("'{}' is not an edit of the text", name.substr(0, 80)));
      edit->second.run(text, words, session.take().scene());
    }
  });
}

double component(const ColumnView& column, Index row, int k) {
  const std::size_t at =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(column.components) + static_cast<std::size_t>(k);
  if (column.scalar == Scalar::integer) return static_cast<const Index*>(column.data)[at];
  return static_cast<const float*>(column.data)[at];
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

void run_to(Session& session, int frame) {
  Take& take = session.take();
  if (frame < 0 || frame > take.scene().frames())
    throw InputError(fmt::format("the scene has frames 0 to {}", take.scene().frames()));
  session.show(std::nullopt);
  take.prepare();
  while (take.last_frame() < frame && take.step()) {
  }
}

using Handler = std::function<json(Session&, Words&)>;

struct Command {
  const char* usage;
  Handler run;
};

const std::map<std::string, Command, std::less<>>& commands();

json help() {
  json lines = json::array();
  for (const auto& [name, command] : commands()) lines.push_back(fmt::format("{} {}", name, command.usage));
  return {{"commands", std::move(lines)}};
}

std::map<std::string, Command, std::less<>> made_commands() {
  std::map<std::string, Command, std::less<>> all = {
      {"open",
       {"NAME [preview]",
        [](Session& s, Words& w) {
          const std::string name = w.word("the name of a scene");
          const std::string size = w.empty() ? "" : w.word("");
          w.end();
          if (!size.empty() && size != "preview") throw InputError(fmt::format("'{}' is not 'preview'", size));
          s.open(name, !size.empty());
          return json{{"scene", s.take().scene().name}};
        }}},
      {"new",
       {"NAME [like TEMPLATE]",
        [](Session& s, Words& w) {
          const std::string name = w.word("the name of the new scene");
          std::string like = "dam-break";
          if (!w.empty()) {
            if (w.word("") != "like") throw InputError("it is 'new NAME like TEMPLATE'");
            like = w.word("the name of a template");
          }
          w.end();
          s.begin(name, like);
          return json{{"scene", s.take().scene().name}};
        }}},
      {"together", {"[\"EDIT\", ...]", [](Session& s, Words& w) { return edited_together(s, w.rest()); }}},
      {"text",
       {"\"...\"",
        [](Session& s, Words& w) {
          const json text = json::parse(w.rest(), nullptr, false);
          if (!text.is_string()) throw InputError("the text must be in quotes, as in JSON");
          return edited(s, [&](SceneText& scene) { scene = SceneText(text.get<std::string>()); });
        }}},
      {"undo",
       {"",
        [](Session& s, Words&) {
          return json{{"frames_left", s.undo() + 1}};
        }}},
      {"redo",
       {"",
        [](Session& s, Words&) {
          return json{{"frames_left", s.redo() + 1}};
        }}},
      {"play", {"", [](Session& s, Words&) { return s.play(), json::object(); }}},
      {"pause", {"", [](Session& s, Words&) { return s.pause(), json::object(); }}},
      {"step",
       {"",
        [](Session& s, Words&) {
          s.pause();
          s.show(std::nullopt);
          const bool more = s.take().step();
          return json{{"time", s.take().simulation()->time()}, {"more", more}};
        }}},
      {"run",
       {"FRAME",
        [](Session& s, Words& w) {
          const int frame = w.number<int>("the frame");
          w.end();
          s.pause();
          run_to(s, frame);
          return json{{"frame", s.take().last_frame()}};
        }}},
      {"show",
       {"FRAME | newest",
        [](Session& s, Words& w) {
          Words other = w;
          const bool newest = other.word("the frame") == "newest";
          const std::optional<int> frame = newest ? std::nullopt : std::optional(w.number<int>("the frame"));
          (newest ? other : w).end();
          s.show(frame);
          return json::object();
        }}},
      {"rewind",
       {"FRAME",
        [](Session& s, Words& w) {
          const int frame = w.number<int>("the frame");
          w.end();
          s.rewind(frame);
          return json{{"frames_left", frame + 1}};
        }}},
      {"branch",
       {"FRAME [PATH = VALUE]",
        [](Session& s, Words& w) {
          const int frame = w.number<int>("the frame");
          SceneText text(s.take().text());
          if (!w.empty()) {
            const std::string path = w.word("a path");
            text.set(path, w.value());
          }
          s.branch(frame, text.text());
          return json{{"take", s.take().name()}};
        }}},
      {"take", {"NAME", [](Session& s, Words& w) { return s.choose(w.last("the name of a take")), json::object(); }}},
      {"remove_take",
       {"NAME", [](Session& s, Words& w) { return s.remove_take(w.last("the name of a take")), json::object(); }}},
      {"colour",
       {"COLUMN [MAP [MIN MAX]]",
        [](Session& s, Words& w) {
          Shown shown;
          shown.colour_by = w.word("a column");
          std::vector<std::string> known = known_columns();
          known.push_back("object");
          if (std::ranges::find(known, shown.colour_by) == known.end())
            throw InputError(
                fmt::format("there is no column '{}'{}", shown.colour_by, suggestion(shown.colour_by, known)));
          if (!w.empty()) {
            shown.map = w.word("a colour map");
            ColourMap exists(shown.map);
          }
          if (!w.empty()) {
            shown.min = w.number<float>("the lowest value");
            shown.max = w.number<float>("the highest value");
          }
          w.end();
          s.colour(shown);
          return json::object();
        }}},
      {"particle",
       {"X Y Z",
        [](Session& s, Words& w) {
          const float x = w.number<float>("x"), y = w.number<float>("y"), z = w.number<float>("z");
          w.end();
          return nearest_particle(s, Vec3(x, y, z));
        }}},
      {"save",
       {"[NAME]",
        [](Session& s, Words& w) {
          const std::string name = w.empty() ? "" : w.last("");
          return json{{"file", s.save(name).filename().string()}};
        }}},
      {"render",
       {"[FRAME]",
        [](Session& s, Words& w) {
          const std::optional<int> frame = w.empty() ? std::nullopt : std::optional(w.number<int>("the frame"));
          w.end();
          s.render(frame);
          return json::object();
        }}},
      {"wait", {"", [](Session& s, Words&) { return s.wait_for_renderings(), json::object(); }}},
      {"state", {"", [](Session& s, Words&) { return state_of(s); }}},
      {"scene", {"", [](Session& s, Words&) { return scene_of(s); }}},
      {"statistics", {"", [](Session& s, Words&) { return tables_of(s.take()); }}},
      {"scenes", {"", [](Session& s, Words&) { return gallery(s); }}},
      {"declarations", {"", [](Session&, Words&) { return declarations(); }}},
      {"help", {"", [](Session&, Words&) { return help(); }}}};
  for (const auto& [name, edit] : edits())
    all[name] = {edit.usage, [&edit](Session& s, Words& w) {
                   return edited(s, [&](SceneText& text) { edit.run(text, w, s.take().scene()); });
                 }};
  return all;
}

const std::map<std::string, Command, std::less<>>& commands() {
  static const auto all = made_commands();
  return all;
}

json carry_out(Session& session, std::string_view line) {
  if (line.size() > longest_line) throw InputError("the command is longer than a megabyte");
  Words words(line);
  const std::string name = words.word("a command");
  const auto command = commands().find(name);
  if (command == commands().end()) {
    std::vector<std::string> known;
    for (const auto& [one, what] : commands()) known.push_back(one);
    throw InputError(fmt::format("unknown command '{}'{}", name.substr(0, 80), suggestion(name.substr(0, 80), known)));
  }
  if (std::string_view(command->second.usage).empty()) words.end();
  return command->second.run(session, words);
}

}  // namespace

json execute(Session& session, std::string_view line) {
  json answer;
  try {
    answer = carry_out(session, line);
    answer["ok"] = true;
  } catch (const SceneError& error) {
    answer = {{"ok", false}, {"error", error.what()}, {"mistakes", json::array()}};
    for (const SceneMistake& one : error.mistakes)
      answer["mistakes"].push_back({{"line", one.line}, {"column", one.column}, {"message", one.message}});
  } catch (const Error& error) {
    answer = {{"ok", false}, {"error", error.what()}};
  } catch (const std::bad_alloc&) {
    answer = {{"ok", false}, {"error", "out of memory; use a larger spacing"}};
  } catch (const std::filesystem::filesystem_error& error) {
    answer = {{"ok", false}, {"error", error.what()}};
  }
  return answer;
}

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

}  // namespace fondue
