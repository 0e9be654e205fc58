#include "studio/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>

#include "picture/colour_map.h"
#include "scene/reading.h"
#include "scene/scene_text.h"
#include "scene/suggest.h"
#include "studio/answers.h"
#include "studio/json.h"
#include "studio/keyframes.h"
#include "studio/tables.h"
#include "studio/words.h"

namespace fondue {

using nlohmann::json;

namespace {

constexpr std::size_t longest_line = 1 << 20;

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

}  // namespace fondue
