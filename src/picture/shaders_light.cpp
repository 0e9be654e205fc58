#include "picture/shaders.h"

namespace fondue::shaders {

const char* const picture_vertex = R"(
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }
)";

const char* const distance_fragment = R"(
uniform sampler2D depths;
out float dist;
void main() {
  vec2 place = (2.0 * gl_FragCoord.xy - 0.5) * pixel - 1.0;
  dist = distance_of(depth_with_floor(texelFetch(depths, ivec2(gl_FragCoord.xy) * 2, 0).r, place));
}
)";

const char* const occlusion_fragment = R"(
uniform sampler2D distances;
uniform isampler2D normals;
uniform sampler2D shadows;
out int occlusion;

const int samples = 8, shadow_samples = 6;
const mat2 golden_rotation = mat2(-0.7373689, 0.6754903, -0.6754903, -0.7373689);  // by the golden angle

vec2 direction(float noise) { return vec2(cos(6.2831853 * noise), sin(6.2831853 * noise)); }

// The point shown by the first sample of a pixel, which is given by its centre.
vec3 point_at(vec2 middle) {
  return view_point((2.0 * middle - 0.5) * pixel - 1.0, texture(distances, middle * pixel).r);
}

// Visible fraction of the sky above a point (horizon-based ambient occlusion in screen space).
float open_sky(vec3 p, vec3 n, float noise, float count) {
  float metres = 2.0 * extent.y * (perspective ? -p.z : 1.0) * pixel.y;
  float reach = min(occlusion_radius / metres, 0.2 * picture.y);
  float radius = reach * metres, fade = 1.0 / (radius * radius), step = reach / float(samples), blocked = 0.0;
  vec2 axis = direction(noise);
  for (float i = 0.0; i < count; ++i) {
    axis = golden_rotation * axis;
    vec2 place = clamp(gl_FragCoord.xy + step * (i + 0.5 + 0.5 * noise) * axis, vec2(0.5), picture - 0.5);
    vec3 v = point_at(floor(place) + 0.5) - p;
    float d2 = dot(v, v);
    blocked += max(0.0, dot(v, n) * inversesqrt(d2 + 1e-12) - 0.1) * max(0.0, 1.0 - d2 * fade);
  }
  return max(0.0, 1.0 - 1.6 * blocked / float(samples));
}

// Light around a point of the shadow map (percentage-closer filtering); slope is the depth gradient of the surface.
float light_arriving(vec3 q, vec2 slope, float noise, float count) {
  float lit = 0.0;
  vec2 axis = direction(noise);
  for (float i = 0.0; i < count; ++i) {
    axis = golden_rotation * axis;
    vec2 offset = shadow_radius * sqrt((i + 0.5) * (1.0 / float(shadow_samples))) * axis, place = q.xy + offset;
    float depth = min(q.z + dot(slope, offset), 1.0);
    bool outside = any(greaterThan(abs(place - 0.5), vec2(0.5)));
    lit += outside || depth <= texture(shadows, place).r ? 1.0 : 0.0;
  }
  return count > 0.0 ? lit / float(shadow_samples) : 1.0;
}

void main() {
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  vec3 p = point_at(gl_FragCoord.xy);
  int bits = texture(normals, (gl_FragCoord.xy - 0.25) * pixel).r;
  float level = dot(floor_depth.xyz, vec3((2.0 * gl_FragCoord.xy - 0.5) * pixel - 1.0, 1.0)), depth = depth_of(-p.z);
  int kind = level < depth - 1e-5 * abs(depth) ? kind_of(bits) : nothing;  // nothing is visible below the floor
  vec3 n = kind == nothing ? up.xyz : normal_of(bits);
  float noise = float((cell.x + 4 * cell.y) * 7 & 15) / 16.0;
  bool surface = kind != nothing || -p.z < 0.9999 * range.y;
  float bias = kind == sphere_kind ? shadow_bias : kind == mesh_kind ? mesh_bias : 0.0;
  vec3 q = (to_shadow * vec4(p + bias * to_light.xyz, 1.0)).xyz;
  float slant = max(dot(n, to_light.xyz), 0.25) * shadow_scale * shadow_scale * shadow_depth;
  vec2 slope = kind == mesh_kind ? (mat3(to_shadow) * n).xy / slant : vec2(0.0);
  bool dark = kind != nothing || (surface && may_be_dark(p, 0.0)), shaded = surface && may_be_shaded(p, bias);
  float sky = open_sky(p, n, noise, dark ? float(samples) : 0.0);
  float light = light_arriving(q, slope, noise, shaded ? float(shadow_samples) : 0.0);
  occlusion = packed_occlusion(sky, light, -p.z);
}
)";

const char* const light_fragment = R"(
uniform sampler2D depths;
uniform isampler2D normals;
uniform isampler2D colours;
uniform isampler2D occlusions;
out vec4 result;

// Display values of the background, darker at the top.
vec3 background(float height) {
  return flat_look ? vec3(0.93, 0.936, 0.945) : mix(vec3(0.955, 0.958, 0.962), vec3(0.84, 0.875, 0.915), smoothstep(0.1, 1.0, height));
}

// Coverage of grid lines in a pixel of the floor, and the opacity of the floor at this distance from its centre.
vec2 floor_pattern(vec2 place) {
  vec3 ray = perspective ? vec3(place * extent, -1.0) : vec3(0.0, 0.0, -1.0);
  vec3 from = perspective ? vec3(0.0) : vec3(place * extent, 0.0);
  vec3 p = from + ray * (up.w - dot(from, up.xyz)) / dot(ray, up.xyz);
  vec2 q = vec2(dot(p, floor_x.xyz) + floor_x.w, dot(p, floor_y.xyz) + floor_y.w);
  vec2 cell = q / grid_spacing, width = max(fwidth(cell), 1e-6);
  vec2 lines = clamp(0.5 + (0.008 - abs(fract(cell - 0.5) - 0.5)) / width, 0.0, 1.0) * clamp(0.35 / width - 1.0, 0.0, 1.0);
  float left = 1.0 - smoothstep(0.25, 1.0, length(q - vec2(floor_x0, floor_y0)) / floor_fade);
  return vec2(max(lines.x, lines.y), left);
}

vec3 lit_floor(vec3 back, vec2 pattern, float sky, float light) {
  float bright = mix(0.66, 1.0, sky) * mix(0.80, 1.0, light);
  vec3 tint = mix(vec3(0.93, 0.97, 1.0), vec3(1.0), bright);
  return back * mix(vec3(1.0), bright * tint * (1.0 - 0.06 * pattern.x), pattern.y);
}

// Daylight: a uniform sky, a warm key light, a faint highlight. A surface that faces the viewer shows about its own
// colour.
vec3 lit_surface(vec3 colour, vec3 n, float sky, float light) {
  vec3 linear = colour * colour;
  float key = max(0.0, 0.8 * dot(n, to_light.xyz) + 0.2) * mix(0.25, 1.0, light);
  float ambient = (0.50 + 0.14 * dot(n, up.xyz)) * sky;
  float mirror = max(0.0, dot(n, normalize(to_light.xyz + vec3(0.0, 0.0, 1.0))));
  mirror *= mirror;
  mirror *= mirror;
  mirror *= mirror;
  mirror *= mirror;
  float shine = mirror * mirror * light;
  vec3 shaded = linear * (ambient * vec3(0.94, 0.97, 1.03) + 0.46 * key * vec3(1.03, 1.0, 0.96)) + 0.04 * shine;
  return sqrt(shaded);
}

// Adds a neighbouring pixel to the four samples of a pixel, weighted by the similarity of their distances.
void add_tap(int tap, vec4 steps, vec4 narrow, inout vec4 sky, inout vec4 light, inout vec4 weights) {
  vec4 weight = max(vec4(1e-4), 1.0 - abs(float(tap >> 16) - steps) * narrow);
  sky += weight * float(tap & 255);
  light += weight * float(tap >> 8 & 255);
  weights += weight;
}

vec3 lit_sample(int normal, int bits, float sky, float light) {
  vec3 colour = colour_of(bits);
  return flat_look ? colour : lit_surface(colour, normal_of(normal), sky, light);
}

// Samples of a pixel come in the order of textureGather: upper left, upper right, lower right, lower left.
void main() {
  vec2 middle = gl_FragCoord.xy * pixel, place = 2.0 * middle - 1.0;
  vec3 back = background(middle.y);
  vec2 pattern = has_floor ? floor_pattern(place) : vec2(0.0);

  vec4 depth = textureGather(depths, middle);
  vec4 level = dot(floor_depth.xyz, vec3(place, 1.0)) + floor_depth.x * pixel.x * vec4(-0.5, 0.5, 0.5, -0.5) +
               floor_depth.y * pixel.y * vec4(0.5, 0.5, -0.5, -0.5);
  vec4 visible = max(max(depth, level), farthest_depth());
  vec4 drawn = vec4(greaterThan(depth, vec4(0.0))) * vec4(greaterThanEqual(depth, visible));
  vec4 dist = perspective ? range.x / visible : range.y - visible * (range.y - range.x);
  bool some = dot(drawn, vec4(1.0)) > 0.0;

  vec4 weights = vec4(1e-6), sky = 255.0 * weights, light = sky;
  vec4 steps = clamp((dist - range.x) * per_range, 0.0, 1.0) * most_steps;
  vec4 narrow = 1.0 / max(vec4(1.0), (2.0 * detail + 0.01 * abs(dist)) * (most_steps * per_range));
  vec3 p = view_point(place, dist.x);
  float slack = 8.0 * extent.y * (perspective ? dist.x : 1.0) * pixel.y;
  bool dark = some || (pattern.y > 0.0 && (may_be_dark(p, slack) || may_be_shaded(p, slack)));
  int blocks = dark && !flat_look ? 4 : 0;
  for (int i = 0; i < blocks; ++i) {
    ivec4 taps = textureGather(occlusions, (gl_FragCoord.xy + 2.0 * vec2(i & 1, i >> 1) - 1.5) * pixel);
    add_tap(taps.x, steps, narrow, sky, light, weights);
    add_tap(taps.y, steps, narrow, sky, light, weights);
    add_tap(taps.z, steps, narrow, sky, light, weights);
    add_tap(taps.w, steps, narrow, sky, light, weights);
  }
  weights = 1.0 / (255.0 * weights);
  sky *= weights;
  light *= weights;

  vec3 sum = vec3(0.0);
  int times = some ? 1 : 0;
  for (int once = 0; once < times; ++once) {
    ivec4 normal = textureGather(normals, middle), colour = textureGather(colours, middle);
    sum += drawn.x * lit_sample(normal.x, colour.x, sky.x, light.x);
    sum += drawn.y * lit_sample(normal.y, colour.y, sky.y, light.y);
    sum += drawn.z * lit_sample(normal.z, colour.z, sky.z, light.z);
    sum += drawn.w * lit_sample(normal.w, colour.w, sky.w, light.w);
  }
  vec4 open = 1.0 - drawn;
  float rest = dot(open, vec4(1.0)), share = 1.0 / max(rest, 1.0);
  sum += rest * lit_floor(back, pattern, dot(open, sky) * share, dot(open, light) * share);
  result = vec4(0.25 * sum, 1.0);
}
)";

}  // namespace fondue::shaders
