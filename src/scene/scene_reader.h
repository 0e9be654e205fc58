#pragma once
// The tree of a scene file to a Scene, section by section. Each section is read against its declaration, added to the
// scene, and written to the effective scene with every default.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "scene/doubts.h"
#include "scene/material_list.h"
#include "scene/sections.h"
#include "scene/shape_reader.h"
#include "scene/tracks.h"

namespace fondue {

class SceneReader {
 public:
  SceneReader(const Node& root, const std::string& path, Reading& reading);
  /// The scene, as far as it could be understood: good only if there were no mistakes.
  Scene read();

 private:
  // Of one table each.
  void read_scene();
  void read_time();
  void read_domain();
  void read_picture();
  void read_surface();
  void read_output();
  // Of many.
  void read_materials();
  void read_object(const Node& node, const std::string& where);
  void read_collider(const Node& node, const std::string& where);
  void read_body(const Node& node, const std::string& where);
  void read_joint(const Node& node, const std::string& where);
  void read_emitter(const Node& node, const std::string& where);
  void read_sink(const Node& node, const std::string& where);
  void read_region(const Node& node, const std::string& where, const sections::Regions& of);
  void read_pin(const Node& node, const std::string& where);
  void read_probe(const Node& node, const std::string& where);
  void read_transducer(const Values& values, TableReader& reader, ProbeSetup& probe);
  void read_flame(const Node& node, const std::string& where);
  void check_matter();
  void check_whole();

  /// Calls a reader for each element of [[objects]] and the like, with its name for messages: "object 'column'".
  void each(const char* section, const char* one, const std::function<void(const Node&, const std::string&)>& reader);
  void each(const char* section, const char* one, void (SceneReader::*reader)(const Node&, const std::string&)) {
    each(section, one, [&](const Node& node, const std::string& where) { (this->*reader)(node, where); });
  }
  const Node& table(const char* section) const;
  bool plane() const { return reading_.dimension == 2; }

  std::optional<ReadShape> shape(const Node* node, const std::string& where);
  /// A table with a shape, read by its declaration and written to the effective scene.
  struct ShapedTable {
    TableReader reader;
    Values values;
    std::optional<ReadShape> shape;
  };
  ShapedTable read_shaped(const Node& node, const std::string& where, const Section& section,
                          const Part& part = keys::common::shape);
  /// A mistake unless the shape ends somewhere.
  void need_finite(const ReadShape& shape, const Node& node, const std::string& where);
  struct Material {
    TrackSet tracks;
    /// Only what was given.
    Values look;
  };
  /// A material by its name; an empty one, and a mistake, if there is none.
  const Material& material(const std::string& name, const Place& place, const std::string& where);
  /// What an object or an emitter's particles are made of: one material or several.
  struct Matter {
    std::vector<Track> tracks;
    /// That of the materials.
    Values look;
    /// Of several materials.
    std::vector<ListedMaterial> list;
    /// The behaviours that the effective scene has for the object itself.
    TrackSet own;
  };
  Matter read_matter(const Node& node, TableReader& table, const TrackSet& own, const Values& own_look);
  /// Of an object with a list of materials.
  Matter read_listed(const Node& list, const std::string& where, const TrackSet& own, const Values& own_look);
  /// What a material or an object says of its look.
  Values read_look(const Node& node, TableReader& table);
  /// The appearance that these values describe; the usual one where they name no look.
  static LookSetup look_of(const Values& values, Look usual);
  /// Adds an object with its material's look, but for what is given for itself.
  void add_object(ObjectSetup object, const Matter& matter, const Values& own, const Node& node, const Place& place);
  void check_density(TableReader& table, const ObjectSetup& object, const Values& values);
  /// What colliders and rigid bodies have in common.
  ColliderSetup solid_of(ShapedTable& table);
  Index object_named(TableReader& table, const std::string& name, const Parameter& key);
  void attach(TableReader& table, const std::string& name, EmitterSetup& emitter);
  void emitted_object(const Node& node, TableReader& table, const Values& values, EmitterSetup& emitter);
  std::vector<std::string> object_names() const;
  /// Colliders come before rigid bodies.
  std::vector<std::string> collider_names() const;
  std::vector<std::string> solid_names() const;

  void write(const Section& section, const Values& values);
  void write(const std::string& key, const std::string& value) { effective_ += key + " = " + value + '\n'; }

  const Node& root_;
  /// Stands for a section that is not there.
  Node empty_;
  std::string path_;
  Reading& reading_;
  Scene scene_;
  std::string effective_;
  std::map<std::string, Material> materials_;
  DoubtfulPlaces doubtful_;
  /// Where each object's shape or emitter is written.
  std::vector<Place> object_places_;
  /// Where its material or its list of materials is named.
  std::vector<Place> material_places_;
  std::vector<Place> pin_places_;
};

}  // namespace fondue
