// Programs of the graphics card. Light is that of a sun that stands still in the world, with the shadows of what is
// between (a picture of depths seen from the sun), and of a sky. Flat scenes are lit from the viewer.

/// What every vertex shader that draws particles does to find one.
const particle = `
in vec4 place;          // in the box, and the radius
in vec4 tint;           // colour, and the object
uniform vec3 low, size, movedBy;
uniform float radius;
uniform int movedObject;
vec3 particle() {
  vec3 x = low + size * place.xyz;
  return int(tint.a * 255.0 + 0.5) == movedObject ? x + movedBy : x;
}
vec2 quad() { return vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0; }`;

export const sphereVertex = `#version 300 es
uniform mat4 view, projection;
out vec2 corner;
out vec3 centre, colour;
out float r;
${particle}
void main() {
  // A little larger than the sphere: in perspective its outline is.
  corner = 1.15 * quad();
  r = radius * place.w;
  colour = tint.rgb;
  centre = (view * vec4(particle(), 1.0)).xyz;
  gl_Position = projection * vec4(centre + vec3(corner * r, 0.0), 1.0);
}`;

const lit = `
uniform vec3 sun, up;               // directions, as the viewer sees them
uniform mat4 shadowOfView;
uniform highp sampler2DShadow depths;
float sunlight(vec3 x) {
  vec3 p = (shadowOfView * vec4(x, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int k = 0; k < 4; ++k) {
    vec2 off = (vec2(k & 1, k >> 1) - 0.5) * 1.6 / vec2(textureSize(depths, 0));
    sum += texture(depths, vec3(p.xy + off, p.z - 0.004));
  }
  return 0.25 * sum;
}
vec3 lit(vec3 colour, vec3 n, vec3 x) {
  float direct = max(0.0, dot(n, sun));
  if (direct > 0.0) direct *= sunlight(x);
  float rim = pow(1.0 - max(0.0, dot(n, -normalize(x))), 3.0);
  vec3 linear = pow(colour, vec3(2.2)) * (0.40 + 0.17 * dot(n, up) + 0.72 * direct) + 0.04 * rim;
  return pow(min(linear, 1.0), vec3(1.0 / 2.2));
}`;

export const sphereFragment = `#version 300 es
precision highp float;
in vec2 corner;
in vec3 centre, colour;
in float r;
uniform mat4 projection;
uniform float perspectiveView;
out vec4 result;
${lit}
void main() {
  vec3 on = centre + vec3(corner * r, 0.0);
  vec3 ray = perspectiveView > 0.5 ? normalize(on) : vec3(0.0, 0.0, -1.0);
  vec3 from = perspectiveView > 0.5 ? vec3(0.0) : vec3(on.xy, 0.0);
  vec3 to = centre - from;
  float along = dot(to, ray), inside = r * r - (dot(to, to) - along * along);
  if (r <= 0.0 || inside < 0.0) discard;
  vec3 x = from + ray * (along - sqrt(inside));
  vec4 clip = projection * vec4(x, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  result = vec4(lit(colour, (x - centre) / r, x), 1.0);
}`;

/// Depths seen from the sun: of particles as discs, of triangles.
export const sphereShadowVertex = `#version 300 es
uniform mat4 view, projection;
out vec2 corner;
${particle}
void main() {
  corner = quad();
  gl_Position = projection * ((view * vec4(particle(), 1.0)) + vec4(corner * radius * place.w, 0.0, 0.0));
}`;
export const sphereShadowFragment = `#version 300 es
precision highp float;
in vec2 corner;
void main() { if (dot(corner, corner) > 1.0) discard; }`;
export const meshShadowVertex = `#version 300 es
in vec3 position;
uniform mat4 view, projection, pose;
void main() { gl_Position = projection * view * pose * vec4(position, 1.0); }`;
export const meshShadowFragment = `#version 300 es
precision highp float;
void main() {}`;

export const meshVertex = `#version 300 es
in vec3 position;
in vec4 tint;
in vec3 normal;
uniform mat4 view, projection, pose;
out vec3 n, colour, x;
void main() {
  n = mat3(view) * mat3(pose) * normal;
  colour = tint.rgb;
  x = (view * pose * vec4(position, 1.0)).xyz;
  gl_Position = projection * vec4(x, 1.0);
}`;
export const meshFragment = `#version 300 es
precision highp float;
in vec3 n, colour, x;
uniform float shine;
out vec4 result;
${lit}
void main() {
  vec3 u = normalize(gl_FrontFacing ? n : -n);
  float glint = pow(max(0.0, dot(u, normalize(sun - normalize(x)))), 60.0);
  result = vec4(lit(colour, u, x) + shine * glint, 1.0);
}`;

/// Ghosts: clear in the middle, visible at their outlines.
export const ghostFragment = `#version 300 es
precision highp float;
in vec3 n, colour, x;
uniform float strength;
out vec4 result;
void main() {
  float edge = 1.0 - abs(dot(normalize(n), normalize(x)));
  result = vec4(colour, strength * (0.10 + 0.65 * edge * edge));
}`;

export const floorVertex = `#version 300 es
in vec3 position;
uniform mat4 view, projection;
out vec3 x, seen;
void main() {
  x = position;
  seen = (view * vec4(position, 1.0)).xyz;
  gl_Position = projection * vec4(seen, 1.0);
}`;
export const floorFragment = `#version 300 es
precision highp float;
in vec3 x, seen;
uniform vec3 middle, shade;
uniform float reach, cell, darkness;
out vec4 result;
${lit}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(x.xy - middle.xy) / reach);
  vec2 g = abs(fract(x.xy / cell - 0.5) - 0.5) / fwidth(x.xy / cell);
  float line = 1.0 - min(min(g.x, g.y), 1.0);
  float shadow = darkness * (1.0 - sunlight(seen));
  result = vec4(shade * (1.0 - 0.12 * line) * (1.0 - shadow), fade);
}`;

export const lineVertex = `#version 300 es
in vec3 position;
uniform mat4 view, projection;
void main() { gl_Position = projection * view * vec4(position, 1.0); }`;
export const lineFragment = `#version 300 es
precision highp float;
uniform vec3 shade;
out vec4 result;
void main() { result = vec4(shade, 1.0); }`;

export function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.bindAttribLocation(made, 0, vertex.includes('in vec3 position') ? 'position' : 'place');
  gl.bindAttribLocation(made, 1, 'tint');
  gl.bindAttribLocation(made, 2, 'normal');
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = new Map();
  return { program: made, at: (name) => places.get(name) ?? places.set(name, gl.getUniformLocation(made, name)).get(name) };
}
