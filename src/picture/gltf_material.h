#pragma once
// A look as a material of glTF 2.0: metal, roughness, and for clear looks the extensions transmission, ior and volume
// of Khronos, whose attenuation is the one of look.h (white light has the colour after the clarity). What glTF cannot
// say (light scattered below a surface, glow by temperature) follows from the look's name, which is among the extras.

#include <optional>
#include <string>

#include "scene/scene.h"

namespace fondue {

/// A JSON string.
std::string json_text(const std::string& text);

/// One entry of "materials". Without a look: the grey of colliders.
std::string gltf_material(const std::string& name, const std::optional<LookSetup>& look);

/// Extensions that these entries use, as a list of JSON strings.
inline constexpr const char* gltf_clear_extensions =
    R"("KHR_materials_transmission","KHR_materials_ior","KHR_materials_volume")";

}  // namespace fondue
