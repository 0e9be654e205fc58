// The viewport: particles as spheres that are exact in every pixel (quads on which the depth and the normal of a sphere
// are computed), a floor with shadows of what is above it, containers as lines. Two takes can stand side by side.

import { lookAt, multiply, orthographic, perspective, transform } from './matrix.js';

const sphereVertex = `#version 300 es
in vec4 place;          // in the box, and the radius
in vec4 tint;
uniform mat4 view, projection;
uniform vec3 low, size;
uniform float radius, floorHeight;
uniform int flatOnFloor;
out vec2 corner;
out vec3 centre, colour;
out float r;
void main() {
  corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec3 x = low + size * place.xyz;
  r = radius * place.w;
  colour = tint.rgb;
  if (flatOnFloor == 1) {
    float above = max(0.0, x.z - floorHeight);
    float spread = r * (1.2 + 0.15 * above / max(r, 1e-9));
    x = vec3(x.xy + 0.18 * above + corner * spread, floorHeight);
    centre = vec3(0.0);
    gl_Position = projection * view * vec4(x, 1.0);
    return;
  }
  centre = (view * vec4(x, 1.0)).xyz;
  // A little larger than the sphere: in perspective its outline is.
  gl_Position = projection * vec4(centre + vec3(corner * r * 1.15, 0.0), 1.0);
  corner *= 1.15;
}`;

const lit = `
vec3 lit(vec3 colour, vec3 n) {
  float sun = max(0.0, dot(n, normalize(vec3(-0.45, 0.75, 0.6))));
  float rim = pow(1.0 - max(0.0, n.z), 3.0);
  vec3 linear = pow(colour, vec3(2.2)) * (0.44 + 0.14 * n.y + 0.62 * sun) + 0.05 * rim;
  return pow(min(linear, 1.0), vec3(1.0 / 2.2));
}`;

const sphereFragment = `#version 300 es
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
  vec3 n = (x - centre) / r;
  vec4 clip = projection * vec4(x, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  result = vec4(lit(colour, n), 1.0);
}`;

const shadowFragment = `#version 300 es
precision highp float;
in vec2 corner;
uniform vec3 shade;
out vec4 result;
void main() {
  if (dot(corner, corner) > 1.0) discard;
  result = vec4(shade, 1.0);
}`;

const plainVertex = `#version 300 es
in vec3 position;
uniform mat4 view, projection;
out vec3 x;
void main() { x = position; gl_Position = projection * view * vec4(position, 1.0); }`;

const floorFragment = `#version 300 es
precision highp float;
in vec3 x;
uniform vec3 middle, shade;
uniform float reach, cell;
out vec4 result;
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(x.xy - middle.xy) / reach);
  vec2 g = abs(fract(x.xy / cell - 0.5) - 0.5) / fwidth(x.xy / cell);
  float line = 1.0 - min(min(g.x, g.y), 1.0);
  result = vec4(shade * (1.0 - 0.12 * line), fade);
}`;

const meshVertex = `#version 300 es
in vec3 position;
in vec4 tint;
in vec3 normal;
uniform mat4 view, projection;
out vec3 n, colour;
void main() {
  n = mat3(view) * normal;
  colour = tint.rgb;
  gl_Position = projection * view * vec4(position, 1.0);
}`;

const meshFragment = `#version 300 es
precision highp float;
in vec3 n, colour;
out vec4 result;
${lit}
void main() {
  vec3 u = normalize(gl_FrontFacing ? n : -n);
  float glint = pow(max(0.0, dot(u, normalize(vec3(-0.25, 0.45, 0.86)))), 60.0);
  result = vec4(lit(colour, u) + 0.25 * glint, 1.0);
}`;

const lineFragment = `#version 300 es
precision highp float;
in vec3 x;
uniform vec3 shade;
out vec4 result;
void main() { result = vec4(shade, 1.0); }`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.bindAttribLocation(made, 0, vertex.includes('in vec3 position') ? 'position' : 'place');
  gl.bindAttribLocation(made, 2, 'normal');
  gl.bindAttribLocation(made, 1, 'tint');
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = new Map();
  return { program: made, at: (name) => places.get(name) ?? places.set(name, gl.getUniformLocation(made, name)).get(name) };
}

export class Viewport {
  constructor(canvas) {
    this.canvas = canvas;
    this.shown = [];
    this.camera = null;
    this.drawn = 0;
    this.onPick = () => {};
    this.onMove = () => {};
    const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!gl) return;
    this.gl = gl;
    this.spheres = program(gl, sphereVertex, sphereFragment);
    this.shadows = program(gl, sphereVertex, shadowFragment);
    this.floor = program(gl, plainVertex, floorFragment);
    this.lines = program(gl, plainVertex, lineFragment);
    this.meshes = program(gl, meshVertex, meshFragment);
    this.plain = gl.createBuffer();
    this.listen();
    new ResizeObserver(() => this.request()).observe(canvas);
  }

  /// Shows a frame at a place (0, or 1 beside it); null empties it.
  show(frame, place = 0) {
    const gl = this.gl;
    if (!gl) return;
    if (!frame) {
      this.shown.length = Math.min(this.shown.length, place);
      return this.request();
    }
    const slot = (this.shown[place] ??= { buffers: [gl.createBuffer(), gl.createBuffer()], array: gl.createVertexArray() });
    slot.frame = frame;
    this.forgetSurface(slot);
    gl.bindVertexArray(slot.array);
    for (const [k, data, type] of [[0, frame.places, gl.UNSIGNED_SHORT], [1, frame.tints, gl.UNSIGNED_BYTE]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, slot.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 4, type, true, 0, 0);
      gl.vertexAttribDivisor(k, 1);
    }
    gl.bindVertexArray(null);
    if (!this.camera) this.frameAll();
    this.request();
  }

  /// Shows surfaces instead of the particles of the first frame; null: the particles again.
  showSurface(surface) {
    const { gl } = this, slot = this.shown[0];
    if (!gl || !slot) return;
    slot.surface = surface && { array: gl.createVertexArray(), count: surface.triangles.length, buffers: [] };
    if (surface) {
      gl.bindVertexArray(slot.surface.array);
      const attribute = (k, data, size, type, normalised) => {
        slot.surface.buffers.push(gl.createBuffer());
        gl.bindBuffer(gl.ARRAY_BUFFER, slot.surface.buffers.at(-1));
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(k);
        gl.vertexAttribPointer(k, size, type, normalised, 0, 0);
      };
      attribute(0, surface.places, 3, gl.FLOAT, false);
      attribute(1, surface.tints, 4, gl.UNSIGNED_BYTE, true);
      attribute(2, surface.normals, 4, gl.BYTE, true);
      slot.surface.buffers.push(gl.createBuffer());
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, slot.surface.buffers.at(-1));
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, surface.triangles, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
    }
    this.request();
  }
  forgetSurface(slot) {
    if (!slot?.surface) return;
    for (const buffer of slot.surface.buffers) this.gl.deleteBuffer(buffer);
    this.gl.deleteVertexArray(slot.surface.array);
    slot.surface = null;
  }

  /// Everything in the picture: matter, solids and containers.
  frameAll() {
    const header = this.shown[0]?.frame.header;
    if (!header) return;
    const low = [...header.min], high = [...header.max];
    for (const edges of header.containers)
      for (const ends of edges)
        for (const point of ends)
          for (let a = 0; a < 3; ++a) {
            low[a] = Math.min(low[a], point[a]);
            high[a] = Math.max(high[a], point[a]);
          }
    const reach = Math.max(1e-6, Math.hypot(...low.map((x, a) => high[a] - x)) / 2);
    this.camera = { target: low.map((x, a) => (x + high[a]) / 2), distance: reach * 3, turn: -1.15, lift: 0.32, flat: header.dimension === 2, reach };
    this.floorHeight = low[2];
    this.request();
  }

  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  matrices(aspect) {
    const c = this.camera;
    if (c.flat) {
      const half = c.distance * 0.42;
      return {
        eye: [c.target[0], c.target[1], c.target[2] + 10 * c.reach],
        view: lookAt([c.target[0], c.target[1], c.target[2] + 10 * c.reach], c.target, [0, 1, 0]),
        projection: orthographic(half * aspect, half, 0.01 * c.reach, 40 * c.reach),
      };
    }
    const eye = [
      c.target[0] + c.distance * Math.cos(c.lift) * Math.cos(c.turn),
      c.target[1] + c.distance * Math.cos(c.lift) * Math.sin(c.turn),
      c.target[2] + c.distance * Math.sin(c.lift),
    ];
    return { eye, view: lookAt(eye, c.target, [0, 0, 1]), projection: perspective(0.61, aspect, c.distance * 0.02, c.distance + 60 * c.reach) };
  }

  draw() {
    const { gl, canvas, camera } = this;
    const scale = window.devicePixelRatio;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)), height = Math.max(1, Math.round(canvas.clientHeight * scale));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.clearColor(0, 0, 0, 0);
    gl.disable(gl.SCISSOR_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!camera) return;
    const sides = this.shown.filter((slot) => slot?.frame);
    const part = Math.floor(width / Math.max(1, sides.length));
    gl.enable(gl.SCISSOR_TEST);
    sides.forEach((slot, k) => {
      gl.viewport(k * part, 0, part, height);
      gl.scissor(k * part, 0, part, height);
      this.drawSlot(slot, this.matrices(part / height));
    });
    ++this.drawn;
    canvas.dataset.drawn = this.drawn;
  }

  drawSlot(slot, matrices) {
    const { gl, camera } = this, { header, count } = slot.frame;
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const ground = dark ? [0.19, 0.185, 0.18] : [0.93, 0.92, 0.91], shade = ground.map((c) => c * (dark ? 0.62 : 0.84));
    const use = (which) => {
      gl.useProgram(which.program);
      gl.uniformMatrix4fv(which.at('view'), false, matrices.view);
      gl.uniformMatrix4fv(which.at('projection'), false, matrices.projection);
    };
    const points = (which, flat) => {
      use(which);
      gl.uniform3fv(which.at('low'), header.min);
      gl.uniform3fv(which.at('size'), header.max.map((x, a) => x - header.min[a]));
      gl.uniform1f(which.at('radius'), header.radius);
      gl.uniform1f(which.at('floorHeight'), this.floorHeight);
      gl.uniform1i(which.at('flatOnFloor'), flat ? 1 : 0);
      gl.uniform1f(which.at('perspectiveView'), camera.flat ? 0 : 1);
      if (flat) gl.uniform3fv(which.at('shade'), shade);
      gl.bindVertexArray(slot.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      gl.bindVertexArray(null);
    };
    const plain = (which, numbers, mode, settings) => {
      use(which);
      for (const [name, value] of Object.entries(settings))
        Array.isArray(value) ? gl.uniform3fv(which.at(name), value) : gl.uniform1f(which.at(name), value);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.plain);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STREAM_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribDivisor(0, 0);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
      gl.drawArrays(mode, 0, numbers.length / 3);
    };
    gl.enable(gl.DEPTH_TEST);
    if (!camera.flat && matrices.eye[2] > this.floorHeight) {
      const R = 3.2 * camera.reach, [x, y] = camera.target, z = this.floorHeight - 0.002 * camera.reach;
      gl.depthMask(false);
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      const cell = 10 ** Math.round(Math.log10(camera.reach / 3));
      plain(this.floor, [x - R, y - R, z, x + R, y - R, z, x - R, y + R, z, x + R, y + R, z], gl.TRIANGLE_STRIP,
            { middle: camera.target, shade: ground, reach: R, cell });
      gl.blendEquation(gl.MIN);
      points(this.shadows, true);
      gl.blendEquation(gl.FUNC_ADD);
      gl.disable(gl.BLEND);
      gl.depthMask(true);
    }
    if (slot.surface) {
      use(this.meshes);
      gl.bindVertexArray(slot.surface.array);
      gl.drawElements(gl.TRIANGLES, slot.surface.count, gl.UNSIGNED_INT, 0);
      gl.bindVertexArray(null);
    } else points(this.spheres, false);
    const edges = header.containers.flat(3);
    if (edges.length) plain(this.lines, edges, gl.LINES, { shade: dark ? [0.6, 0.58, 0.56] : [0.45, 0.43, 0.41] });
  }

  /// Place of a particle in the world.
  position(frame, i) {
    const { min, max } = frame.header;
    return [0, 1, 2].map((a) => min[a] + ((max[a] - min[a]) * frame.places[4 * i + a]) / 65535);
  }

  /// The particle under a point of the canvas: its number, or -1.
  pick(clientX, clientY) {
    const frame = this.shown[0]?.frame;
    if (!frame) return -1;
    const box = this.canvas.getBoundingClientRect(), sides = this.shown.length || 1;
    const wide = box.width / sides, x = (clientX - box.left) % wide, y = clientY - box.top;
    const { view, projection } = this.matrices(wide / box.height), whole = multiply(projection, view);
    let best = -1, nearest = Infinity;
    for (let i = 0; i < frame.header.particles; ++i) {
      const p = this.position(frame, i), c = transform(whole, p);
      const r = (frame.header.radius * frame.places[4 * i + 3]) / 65535;
      const pixels = ((r * projection[5]) / c[3]) * 0.5 * box.height;
      const dx = (0.5 + (0.5 * c[0]) / c[3]) * wide - x, dy = (0.5 - (0.5 * c[1]) / c[3]) * box.height - y;
      if (dx * dx + dy * dy < pixels * pixels && c[2] / c[3] < nearest) [best, nearest] = [i, c[2] / c[3]];
    }
    return best;
  }

  listen() {
    const { canvas } = this;
    let held = null;
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY, moved: 0, button: event.button, object: -1, by: [0, 0, 0] };
      const particle = event.altKey ? this.pick(event.clientX, event.clientY) : -1;
      if (particle >= 0) held.object = this.shown[0].frame.tints[4 * particle + 3];
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!held || !this.camera) return;
      const c = this.camera, dx = event.clientX - held.x, dy = event.clientY - held.y;
      held.moved += Math.abs(dx) + Math.abs(dy);
      [held.x, held.y] = [event.clientX, event.clientY];
      const { view } = this.matrices(1), metres = (c.distance * (c.flat ? 0.84 : 0.63)) / canvas.clientHeight;
      const across = [0, 1, 2].map((a) => (view[4 * a] * dx - view[4 * a + 1] * dy) * metres);
      if (held.object >= 0) held.by = held.by.map((x, a) => x + across[a]);
      else if (event.shiftKey || held.button !== 0 || c.flat) c.target = c.target.map((x, a) => x - across[a]);
      else {
        c.turn -= dx * 0.008;
        c.lift = Math.min(1.55, Math.max(-1.55, c.lift + dy * 0.008));
      }
      this.request();
    });
    canvas.addEventListener('pointerup', (event) => {
      if (held?.object >= 0 && held.moved > 3) this.onMove(held.object, held.by);
      else if (held && held.moved < 4 && held.button === 0) {
        const particle = this.pick(event.clientX, event.clientY);
        this.onPick(particle < 0 ? null : this.position(this.shown[0].frame, particle));
      }
      held = null;
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      if (this.camera) this.camera.distance *= Math.exp(event.deltaY * 0.0012);
      this.request();
    }, { passive: false });
  }
}
