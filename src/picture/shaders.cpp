#include "picture/shaders.h"

namespace fondue::shaders {

const char* const prelude = R"(#version 330 core
layout(std140) uniform View {
  vec2 extent;          // half the picture: tangents or metres
  vec2 range;           // nearest and farthest distance
  vec4 to_light;        // direction
  vec4 up;              // direction; w: height of the floor
  vec4 floor_x;         // axes of the floor; w: coordinate of the eye
  vec4 floor_y;
  mat4 to_shadow;       // view space to the unit cube of the shadow map
  vec2 picture;         // pixels
  bool perspective;
  bool flat_look;
  float occlusion_radius;
  float shadow_radius;  // of the penumbra [shadow texels]
  float shadow_bias;    // distance towards the light in which particles do not shade each other [m]
  float mean_radius;
  float grid_spacing;
  float floor_fade;     // distance from the middle where the floor has vanished
  float floor_x0;       // middle of the floor
  float floor_y0;
  bool has_floor;
};

float distance_of(float depth) {
  return perspective ? range.x * range.y / (range.y - depth * (range.y - range.x)) : mix(range.x, range.y, depth);
}

float depth_of(float dist) {
  return perspective ? range.y * (1.0 - range.x / dist) / (range.y - range.x) : (dist - range.x) / (range.y - range.x);
}

vec4 project(vec3 p) {
  float w = perspective ? -p.z : 1.0;
  float z = perspective ? 2.0 * range.y * (-p.z - range.x) / (range.y - range.x) + p.z : 2.0 * depth_of(-p.z) - 1.0;
  return vec4(p.xy / extent, z, w);
}

vec3 view_point(vec2 place, float dist) { return vec3(place * extent * (perspective ? dist : 1.0), -dist); }

// Corner of a triangle in the unit circle; twice as large it is around it.
vec2 corner(int vertex) {
  int k = vertex % 3;
  return k == 0 ? vec2(0.0, 1.0) : vec2(k == 1 ? -0.8660254 : 0.8660254, -0.5);
}

// Axes of a disc that faces the eye: third column towards it.
mat3 facing(vec3 centre) {
  if (!perspective) return mat3(1.0);
  vec3 z = -normalize(centre);
  vec3 x = normalize(vec3(z.z, 0.0, -z.x));
  return mat3(x, cross(z, x), z);
}
)";

// The silhouette of a sphere of radius r at distance D from the eye is a circle, exactly: of radius r sqrt(1 - s^2), s
// = r/D, in the plane that faces the eye a step r s in front of the centre.
const char* const sphere_vertex = R"(
uniform samplerBuffer spheres;
uniform usamplerBuffer colours;
out vec3 across;            // place on that circle, in units of its radius
flat out vec4 eye_and_s;    // direction to the eye, s
flat out vec2 place;        // distance and radius
flat out vec3 colour;

void main() {
  int i = gl_VertexID / 3;
  vec4 sphere = texelFetch(spheres, i);
  vec3 centre = sphere.xyz;
  float radius = sphere.w;
  float s = perspective ? radius / length(centre) : 0.0;
  mat3 axes = facing(centre);
  across = axes * vec3(2.0 * corner(gl_VertexID), 0.0);
  eye_and_s = vec4(axes[2], s);
  place = vec2(-centre.z, radius);
  uint rgb = texelFetch(colours, i).r;
  colour = vec3(rgb & 255u, rgb >> 8u & 255u, rgb >> 16u & 255u) / 255.0;
  vec3 p = centre + radius * (sqrt(1.0 - s * s) * across + s * axes[2]);
  gl_Position = project(p);
}
)";

// A ray through the point a of the unit silhouette meets the sphere where its normal is
// (sqrt(1 - s^2) a + (g + s) e) / (1 + s g), g = sqrt(1 - a^2), e towards the eye.
const char* const sphere_fragment = R"(
in vec3 across;
flat in vec4 eye_and_s;
flat in vec2 place;
flat in vec3 colour;
layout(location = 0) out vec4 out_colour;
layout(location = 1) out vec4 out_normal;

// Darkening along the edge of a flat disc, less for discs of a few pixels.
float rim(float squared) {
  float pixels = 0.5 * place.y * picture.y / extent.y;
  return 0.38 * clamp(0.1 * pixels, 0.0, 1.0) * smoothstep(0.80, 0.90, squared);
}

void main() {
  float inside = 1.0 - dot(across, across);
  if (inside < 0.0) discard;
  float g = sqrt(inside), s = eye_and_s.w;
  vec3 normal = (sqrt(1.0 - s * s) * across + (g + s) * eye_and_s.xyz) / (1.0 + s * g);
  out_colour = vec4(flat_look ? colour * (1.0 - rim(1.0 - inside)) : colour, 1.0);
  out_normal = vec4(0.5 * normal + 0.5, 1.0);
  gl_FragDepth = depth_of(place.x - place.y * normal.z);
}
)";

const char* const floor_vertex = R"(
void main() {
  vec2 c = 4.0 * corner(gl_VertexID) * floor_fade;
  vec3 p = (c.x + floor_x0 - floor_x.w) * floor_x.xyz + (c.y + floor_y0 - floor_y.w) * floor_y.xyz + up.w * up.xyz;
  gl_Position = project(p);
}
)";

const char* const floor_fragment = R"(
layout(location = 0) out vec4 out_colour;
layout(location = 1) out vec4 out_normal;
void main() {
  out_colour = vec4(1.0);
  out_normal = vec4(0.5 * up.xyz + 0.5, 0.3334);
}
)";

const char* const shadow_vertex = R"(
uniform samplerBuffer spheres;
out vec2 across;
void main() {
  vec4 s = texelFetch(spheres, gl_VertexID / 3);
  across = 2.0 * corner(gl_VertexID);
  vec3 p = (to_shadow * vec4(s.xyz, 1.0)).xyz;
  vec2 radius = s.w * vec2(length(vec3(to_shadow[0][0], to_shadow[1][0], to_shadow[2][0])),
                           length(vec3(to_shadow[0][1], to_shadow[1][1], to_shadow[2][1])));
  gl_Position = vec4(2.0 * vec3(p.xy + radius * across, p.z) - 1.0, 1.0);
}
)";

const char* const shadow_fragment = R"(
in vec2 across;
void main() {
  if (dot(across, across) > 1.0) discard;
}
)";

const char* const picture_vertex = R"(
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }
)";

const char* const occlusion_fragment = R"(
uniform sampler2D depths;
uniform sampler2D normals;
uniform sampler2D shadows;
out vec4 occlusion;

const int samples = 12, shadow_samples = 8;
const mat2 turn = mat2(-0.7373689, 0.6754903, -0.6754903, -0.7373689);  // by the golden angle

vec2 direction(float noise) { return vec2(cos(6.2831853 * noise), sin(6.2831853 * noise)); }

// The point that the first sample of a pixel shows.
vec3 point_at(ivec2 pixel) {
  return view_point((2.0 * vec2(pixel) + 0.5) / picture - 1.0, distance_of(texelFetch(depths, pixel * 2, 0).r));
}

// Open part of the sky above a point, from the horizon that its surroundings on the screen rise over its plane.
float open_sky(vec3 p, vec3 n, float noise, float count) {
  float metres = 2.0 * extent.y * (perspective ? -p.z : 1.0) / picture.y;
  float reach = min(occlusion_radius / metres, 0.2 * picture.y);
  float radius = reach * metres, blocked = 0.0;
  vec2 way = direction(noise);
  for (float i = 0.0; i < count; ++i) {
    way = turn * way;
    vec2 place = gl_FragCoord.xy + reach * (i + 0.5 + 0.5 * noise) / count * way;
    vec3 v = point_at(ivec2(clamp(place, vec2(0.0), picture - 1.0))) - p;
    float d2 = dot(v, v);
    blocked += max(0.0, dot(v, n) * inversesqrt(d2 + 1e-12) - 0.1) * max(0.0, 1.0 - d2 / (radius * radius));
  }
  return max(0.0, 1.0 - 1.6 * blocked / float(samples));
}

float light_arriving(vec3 p, float bias, float noise, float count) {
  vec3 q = (to_shadow * vec4(p + bias * to_light.xyz, 1.0)).xyz;
  ivec2 last = textureSize(shadows, 0) - 1;
  float lit = 0.0;
  vec2 way = direction(noise);
  for (float i = 0.0; i < count; ++i) {
    way = turn * way;
    ivec2 texel = ivec2(q.xy * vec2(last + 1) + shadow_radius * sqrt((i + 0.5) / float(shadow_samples)) * way);
    bool outside = any(lessThan(texel, ivec2(0))) || any(greaterThan(texel, last));
    lit += outside || min(q.z, 1.0) <= texelFetch(shadows, clamp(texel, ivec2(0), last), 0).r ? 1.0 : 0.0;
  }
  return lit / float(shadow_samples);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 normal = texelFetch(normals, pixel * 2, 0);
  vec3 p = point_at(pixel);
  float noise = float(((pixel.x & 3) + 4 * (pixel.y & 3)) * 7 & 15) / 16.0;
  bool surface = normal.a > 0.2, sphere = normal.a > 0.5;
  float sky = open_sky(p, normal.xyz * 2.0 - 1.0, noise, surface ? float(samples) : 0.0);
  float light = light_arriving(p, sphere ? shadow_bias : 0.0, noise, surface ? float(shadow_samples) : 0.0);
  occlusion = vec4(sky, light, -p.z, 1.0);
}
)";

const char* const light_fragment = R"(
uniform sampler2D depths;
uniform sampler2D colours;
uniform sampler2D normals;
uniform sampler2D occlusions;
out vec4 result;

// Display values of the background, darker at the top.
vec3 background(float height) {
  return flat_look ? vec3(0.93, 0.936, 0.945) : mix(vec3(0.955, 0.958, 0.962), vec3(0.84, 0.875, 0.915), smoothstep(0.1, 1.0, height));
}

// Share of grid lines in a pixel of the floor, and how much floor is left at this distance from its middle.
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

// Daylight: an even sky, a warm key light, a faint highlight. A surface that faces the viewer shows about its own colour.
vec3 lit_sphere(vec3 colour, vec3 n, float sky, float light) {
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

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 place = 2.0 * gl_FragCoord.xy / picture - 1.0;
  vec3 back = background(gl_FragCoord.y / picture.y);
  vec2 pattern = has_floor ? floor_pattern(place) : vec2(0.0);

  vec4 dist;
  for (int i = 0; i < 4; ++i) dist[i] = distance_of(texelFetch(depths, pixel * 2 + ivec2(i & 1, i >> 1), 0).r);

  vec4 sky = vec4(1e-6), light = sky, weights = sky;
  vec4 tolerance = 2.0 * mean_radius + 0.01 * abs(dist);
  ivec2 last = ivec2(picture) - 1;
  int taps = flat_look || all(greaterThan(dist, vec4(0.999 * range.y))) ? 0 : 16;
  for (int i = 0; i < taps; ++i) {
    vec3 tap = texelFetch(occlusions, clamp(pixel + ivec2(i & 3, i >> 2) - 2, ivec2(0), last), 0).xyz;
    vec4 weight = max(vec4(1e-4), 1.0 - abs(tap.z - dist) / tolerance);
    sky += weight * tap.x;
    light += weight * tap.y;
    weights += weight;
  }
  sky /= weights;
  light /= weights;

  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i) {
    ivec2 s = pixel * 2 + ivec2(i & 1, i >> 1);
    vec4 normal = texelFetch(normals, s, 0);
    vec3 colour = texelFetch(colours, s, 0).rgb;
    vec3 sphere = flat_look ? colour : lit_sphere(colour, normal.xyz * 2.0 - 1.0, sky[i], light[i]);
    sum += normal.a < 0.2 ? back : normal.a < 0.5 ? lit_floor(back, pattern, sky[i], light[i]) : sphere;
  }
  result = vec4(0.25 * sum, 1.0);
}
)";

const char* const edge_vertex = R"(
uniform samplerBuffer ends;
const float half_width = 0.75;  // [pixels at 720 rows]
noperspective out float across;
void main() {
  int edge = gl_VertexID / 6, k = gl_VertexID % 6;
  vec4 a = project(texelFetch(ends, 2 * edge).xyz), b = project(texelFetch(ends, 2 * edge + 1).xyz);
  vec3 start = a.xyz / a.w, end = b.xyz / b.w;
  vec2 along = normalize((end.xy - start.xy) * picture + 1e-9);
  float side = (k == 0 || k == 2 || k == 3) ? 1.0 : -1.0;
  bool first = k == 0 || k == 1 || k == 4;
  float reach = half_width * max(1.0, picture.y / 720.0) + 1.0;
  vec3 p = first ? start : end;
  p.xy += 2.0 * reach * (side * vec2(-along.y, along.x) + (first ? -0.5 : 0.5) * along) / picture;
  across = side * reach;
  gl_Position = vec4(p, 1.0);
}
)";

const char* const edge_fragment = R"(
uniform sampler2D depths;
noperspective in float across;
out vec4 result;
void main() {
  float half_width = 0.75 * max(1.0, picture.y / 720.0);
  float seen = 0.0;
  for (int i = 0; i < 4; ++i) {
    float depth = texelFetch(depths, ivec2(gl_FragCoord.xy) * 2 + ivec2(i & 1, i >> 1), 0).r;
    seen += 0.25 * step(distance_of(gl_FragCoord.z), distance_of(depth) + mean_radius);
  }
  float coverage = clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
  result = vec4(0.27, 0.31, 0.37, 0.75 * coverage * seen);
}
)";

}  // namespace fondue::shaders
