#include "picture/shaders.h"

namespace fondue::shaders {

const char* const prelude = R"(#version 330 core
#extension GL_ARB_texture_gather : require
layout(std140) uniform View {
  vec2 extent;          // half the picture: tangents or metres
  vec2 picture;         // pixels
  vec2 pixel;           // 1 / picture, precomputed to avoid divisions
  vec2 range;           // nearest and farthest distance
  vec4 to_light;        // direction
  vec4 up;              // direction; w: height of the floor
  vec4 floor_x;         // axes of the floor; w: coordinate of the eye
  vec4 floor_y;
  vec4 floor_depth;     // coefficients of the floor's depth at (x, y, 1); negative everywhere if there is none
  vec4 lower;           // corners of a box around everything visible except the floor
  vec4 upper;
  mat4 to_shadow;       // view space to the unit cube of the shadow map
  bool perspective;
  bool flat_look;
  float per_range;      // 1 / (farthest - nearest)
  float occlusion_radius;
  float shadow_radius;  // of the penumbra [fraction of the shadow map]
  float shadow_scale;   // fraction of the shadow map per metre
  float shadow_depth;   // distance between its nearest and farthest [m]
  float shadow_bias;    // distance towards the light in which particles do not shade each other [m]
  float mesh_bias;      // the same for meshes
  float detail;         // size of the finest detail, the mean radius of particles [m]
  float grid_spacing;
  float floor_fade;     // distance from its centre at which the floor has faded out
  float floor_x0;       // centre of the floor
  float floor_y0;
  bool has_floor;
};

const int nothing = 0, mesh_kind = 1, sphere_kind = 2;

float distance_of(float depth) { return perspective ? range.x / depth : range.y - depth * (range.y - range.x); }

float depth_of(float dist) { return perspective ? range.x / dist : (range.y - dist) * per_range; }

float farthest_depth() { return perspective ? range.x / range.y : 0.0; }

// Depth of the surface or the floor at a position in [-1, 1]^2; never beyond the farthest distance.
float depth_with_floor(float depth, vec2 place) {
  return max(max(depth, dot(floor_depth.xyz, vec3(place, 1.0))), farthest_depth());
}

vec4 project(vec3 p) {
  float w = perspective ? -p.z : 1.0;
  return vec4(p.xy / extent, perspective ? 2.0 * range.x - w : 2.0 * depth_of(-p.z) - 1.0, w);
}

vec3 view_point(vec2 place, float dist) { return vec3(place * extent * (perspective ? dist : 1.0), -dist); }

// Whether something in the picture may occlude the sky, or the light, at a point known to within some slack.
bool may_be_dark(vec3 p, float slack) {
  vec3 apart = max(max(lower.xyz - p, p - upper.xyz), 0.0);
  float reach = occlusion_radius + slack;
  return dot(apart, apart) < reach * reach;
}
bool may_be_shaded(vec3 p, float slack) {
  vec2 q = abs((to_shadow * vec4(p, 1.0)).xy - 0.5);
  return max(q.x, q.y) < 0.5 + shadow_radius + slack * shadow_scale;
}

// Surface samples are packed into signed integers, which convert to float in one instruction.
// A normal in ten bits per axis, and the kind of surface in the two highest bits.
int packed_normal(vec3 n, int kind) {
  ivec3 bits = ivec3(n * 511.0 + 511.5);
  return bits.x | bits.y << 10 | bits.z << 20 | kind << 30;
}
int kind_of(int bits) { return bits >> 30 & 3; }
vec3 normal_of(int bits) { return vec3(ivec3(bits, bits >> 10, bits >> 20) & 1023) * (1.0 / 511.0) - 1.0; }

// Eight bits per channel, red lowest.
int packed_colour(vec3 colour) {
  ivec3 bits = ivec3(colour * 255.0 + 0.5);
  return bits.x | bits.y << 8 | bits.z << 16;
}
vec3 colour_of(int bits) { return vec3(ivec3(bits, bits >> 8, bits >> 16) & 255) * (1.0 / 255.0); }

// Sky and light in eight bits each, and the distance quantised between the nearest and the farthest.
const float most_steps = 32767.0;
float steps_of(float dist) { return clamp((dist - range.x) * per_range, 0.0, 1.0) * most_steps; }
int packed_occlusion(float sky, float light, float dist) {
  return int(255.0 * sky + 0.5) | int(255.0 * light + 0.5) << 8 | int(steps_of(dist)) << 16;
}
)";

// In coordinates (rho, tau) of the picture's plane at distance 1, rho along the line through the centre of the picture
// and that of the sphere, c = (R, 0, -D), rays d = (rho, tau, -1) meet the sphere where
//   t^2 d^2 - 2 t (d.c) + c^2 - r^2 = 0,   (d.c)^2 - d^2 (c^2 - r^2) = K (1 - (rho - rho0)^2/a^2 - tau^2/b^2)
// with A = D^2 - r^2, L = c^2 - r^2: rho0 = R D/A, a = r sqrt(L)/A, b = r/sqrt(A), K = r^2 L/A. The silhouette is this
// ellipse, exactly.
const char* const sphere_vertex = R"(
uniform samplerBuffer spheres;
uniform isamplerBuffer colours;
noperspective out vec2 across;  // position in the ellipse, 1 at its edge
flat out vec4 sphere;
flat out vec2 bulge;            // sqrt(K), 1/r
flat out int colour;

void main() {
  int i = gl_VertexID / 3, k = gl_VertexID % 3;
  sphere = texelFetch(spheres, i);
  colour = texelFetch(colours, i).r;
  float r = sphere.w, D = -sphere.z, R = length(sphere.xy);
  float A = D * D - r * r, L = A + R * R;
  vec2 axes = perspective ? vec2(r * sqrt(L) / A, r * inversesqrt(A)) : vec2(r);
  bulge = vec2(perspective ? r * sqrt(L / A) : r, 1.0 / r);
  vec2 along = R > 0.0 ? sphere.xy / R : vec2(1.0, 0.0);
  vec2 middle = perspective ? sphere.xy * D / A : sphere.xy;
  // A triangle around the unit circle.
  across = k == 0 ? vec2(0.0, 2.0) : vec2(k == 1 ? -1.7320508 : 1.7320508, -1.0);
  vec2 offset = axes * across;
  gl_Position = vec4((middle + offset.x * along + offset.y * vec2(-along.y, along.x)) / extent, 0.0, 1.0);
}
)";

const char* const sphere_fragment = R"(
noperspective in vec2 across;
flat in vec4 sphere;
flat in vec2 bulge;
flat in int colour;
layout(location = 0) out int out_normal;
layout(location = 1) out int out_colour;

// Darkening along the edge of a flat disc, weaker for discs of a few pixels.
float rim(float squared) {
  float pixels = 0.5 * sphere.w * picture.y / extent.y;
  return 0.38 * clamp(0.1 * pixels, 0.0, 1.0) * smoothstep(0.80, 0.90, squared);
}

void main() {
  float inside = 1.0 - dot(across, across);
  if (inside < 0.0) discard;
  vec2 d = (gl_FragCoord.xy * pixel - 1.0) * extent;
  float rise = bulge.x * sqrt(inside);
  float along = (perspective ? dot(d, sphere.xy) : 0.0) - sphere.z - rise, squared = perspective ? 1.0 + dot(d, d) : 1.0;
  float dist = along / squared;
  vec3 p = vec3(perspective ? dist * d : d, -dist);
  out_normal = packed_normal((p - sphere.xyz) * bulge.y, sphere_kind);
  out_colour = colour;
  for (bool once = flat_look; once; once = false) out_colour = packed_colour(colour_of(colour) * (1.0 - rim(1.0 - inside)));
  gl_FragDepth = perspective ? range.x * squared / along : depth_of(dist);
}
)";

const char* const mesh_vertex = R"(
layout(location = 0) in vec3 point;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 colour;
out vec3 facing;
out vec3 shade;
void main() {
  facing = normal.xyz;
  shade = colour.rgb;
  gl_Position = project(point);
}
)";

const char* const mesh_fragment = R"(
in vec3 facing;
in vec3 shade;
layout(location = 0) out int out_normal;
layout(location = 1) out int out_colour;
void main() {
  vec3 n = facing * inversesqrt(max(dot(facing, facing), 1e-12));
  out_normal = packed_normal(gl_FrontFacing ? n : -n, mesh_kind);
  out_colour = packed_colour(shade);
}
)";

const char* const shadow_vertex = R"(
layout(location = 0) in vec3 point;
void main() { gl_Position = vec4(2.0 * (to_shadow * vec4(point, 1.0)).xyz - 1.0, 1.0); }
)";

const char* const shadow_fragment = R"(
void main() {}
)";

const char* const edge_vertex = R"(
uniform samplerBuffer ends;
const float half_width = 0.75;  // [pixels at 720 rows]
noperspective out float across;
noperspective out float depth;
void main() {
  int edge = gl_VertexID / 6, k = gl_VertexID % 6;
  vec3 from = texelFetch(ends, 2 * edge).xyz, to = texelFetch(ends, 2 * edge + 1).xyz;
  vec4 a = project(from), b = project(to);
  vec2 start = a.xy / a.w, end = b.xy / b.w;
  vec2 along = normalize((end - start) * picture + 1e-9);
  float side = (k == 0 || k == 2 || k == 3) ? 1.0 : -1.0;
  bool first = k == 0 || k == 1 || k == 4;
  float reach = half_width * max(1.0, picture.y / 720.0) + 1.0;
  vec2 place = first ? start : end;
  place += 2.0 * reach * (side * vec2(-along.y, along.x) + (first ? -0.5 : 0.5) * along) * pixel;
  across = side * reach;
  depth = depth_of(first ? -from.z : -to.z);
  gl_Position = vec4(place, 0.0, 1.0);
}
)";

const char* const edge_fragment = R"(
uniform sampler2D depths;
noperspective in float across;
noperspective in float depth;
out vec4 result;
void main() {
  float half_width = 0.75 * max(1.0, picture.y / 720.0);
  float dist = distance_of(depth) - detail, seen = 0.0;
  vec2 place = 2.0 * gl_FragCoord.xy * pixel - 1.0;
  for (int i = 0; i < 4; ++i) {
    float there = texelFetch(depths, ivec2(gl_FragCoord.xy) * 2 + ivec2(i & 1, i >> 1), 0).r;
    seen += 0.25 * step(dist, distance_of(depth_with_floor(there, place)));
  }
  float coverage = clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
  result = vec4(0.27, 0.31, 0.37, 0.75 * coverage * seen);
}
)";

}  // namespace fondue::shaders
