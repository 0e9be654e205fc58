// The viewport: particles as spheres that are exact in every pixel (quads on which the depth and the normal of a sphere
// are computed), solids and surfaces as triangles, regions and emitters as ghosts, a floor, shadows, containers as
// lines. Two takes can stand side by side.

import { identity, inverse, lookAt, multiply, orthographic, perspective, poseMatrix, transform } from './matrix.js';
import * as shaders from './shaders.js';

const sunDirection = [-0.42, -0.5, 0.76], shadowSize = 1024;

export class Viewport {
  constructor(canvas) {
    this.canvas = canvas;
    this.shown = [];
    this.camera = null;
    this.drawn = 0;
    this.moved = { object: -1, prop: -1, by: [0, 0, 0] };
    this.onPick = () => {};
    this.onMove = () => {};
    const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!gl) return;
    this.gl = gl;
    const made = (vertex, fragment) => shaders.program(gl, vertex, fragment);
    this.spheres = made(shaders.sphereVertex, shaders.sphereFragment);
    this.sphereShadows = made(shaders.sphereShadowVertex, shaders.sphereShadowFragment);
    this.meshShadows = made(shaders.meshShadowVertex, shaders.meshShadowFragment);
    this.meshes = made(shaders.meshVertex, shaders.meshFragment);
    this.ghosts = made(shaders.meshVertex, shaders.ghostFragment);
    this.floor = made(shaders.floorVertex, shaders.floorFragment);
    this.lines = made(shaders.lineVertex, shaders.lineFragment);
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
    const slot = (this.shown[place] ??= { buffers: [gl.createBuffer(), gl.createBuffer()], array: gl.createVertexArray(), depths: this.depthPicture() });
    slot.frame = frame;
    slot.shadowed = false;
    this.forget(slot, 'surface');
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

  /// Shows surfaces instead of the particles of a frame; null: the particles again.
  showSurface(surface, place = 0) {
    const slot = this.shown[place];
    if (!this.gl || !slot) return;
    this.forget(slot, 'surface');
    slot.surface = surface && this.uploaded(surface);
    slot.shadowed = false;
    this.request();
  }

  /// What stands beside the particles, at both places; null: nothing.
  showProps(props) {
    if (!this.gl) return;
    this.forget(this, 'props');
    this.props = props && { ...this.uploaded(props), list: props.list, places: props.places, triangles: props.triangles };
    for (const slot of this.shown) if (slot) slot.shadowed = false;
    this.request();
  }

  uploaded(mesh) {
    const { gl } = this, made = { array: gl.createVertexArray(), count: mesh.triangles.length, buffers: [] };
    const buffer = (target, data) => {
      made.buffers.push(gl.createBuffer());
      gl.bindBuffer(target, made.buffers.at(-1));
      gl.bufferData(target, data, gl.STATIC_DRAW);
    };
    gl.bindVertexArray(made.array);
    for (const [k, data, size, type, normalised] of [[0, mesh.places, 3, gl.FLOAT, false], [1, mesh.tints, 4, gl.UNSIGNED_BYTE, true], [2, mesh.normals, 4, gl.BYTE, true]]) {
      buffer(gl.ARRAY_BUFFER, data);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, size, type, normalised, 0, 0);
    }
    buffer(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles);
    gl.bindVertexArray(null);
    return made;
  }
  forget(owner, name) {
    if (!owner[name]) return;
    for (const buffer of owner[name].buffers) this.gl.deleteBuffer(buffer);
    this.gl.deleteVertexArray(owner[name].array);
    owner[name] = null;
  }

  /// A picture of depths seen from the sun.
  depthPicture() {
    const { gl } = this, texture = gl.createTexture(), target = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowSize, shadowSize);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE], [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL]])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, target };
  }

  /// The box of matter, containers, and of solids that are not much larger than these.
  extent() {
    const header = this.shown[0].frame.header, low = [...header.min], high = [...header.max];
    const add = (point) => point.forEach((x, a) => ((low[a] = Math.min(low[a], x)), (high[a] = Math.max(high[a], x))));
    header.containers.flat(2).forEach(add);
    const size = Math.hypot(...low.map((x, a) => high[a] - x)) || 1;
    this.props?.list.forEach((prop, k) => {
      if (prop.ghost || !header.poses[k]) return;
      const corners = this.cornersOf(prop).map((x) => transform(poseMatrix(header.poses[k]), x).slice(0, 3));
      if ([0, 1, 2].every((a) => Math.max(...corners.map((x) => x[a])) - Math.min(...corners.map((x) => x[a])) < 1.5 * size)) corners.forEach(add);
    });
    return { low, high };
  }
  cornersOf(prop) {
    if (prop.corners) return prop.corners;
    const low = [Infinity, Infinity, Infinity], high = low.map((x) => -x), { places, triangles } = this.props;
    for (let k = 3 * prop.first; k < 3 * (prop.first + prop.triangles); ++k)
      for (let a = 0; a < 3; ++a) {
        const x = places[3 * triangles[k] + a];
        low[a] = Math.min(low[a], x);
        high[a] = Math.max(high[a], x);
      }
    return (prop.corners = prop.triangles ? [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((a) => (k >> a & 1 ? high[a] : low[a]))) : []);
  }

  /// Everything in the picture.
  frameAll() {
    const header = this.shown[0]?.frame.header;
    if (!header) return;
    const { low, high } = this.extent(), reach = Math.max(1e-6, Math.hypot(...low.map((x, a) => high[a] - x)) / 2);
    this.camera = { target: low.map((x, a) => (x + high[a]) / 2), distance: reach * 3.1, turn: -1.15, lift: 0.32, angle: 0.61, flat: header.dimension === 2, reach };
    this.middle = this.camera.target;
    this.floorHeight = low[2];
    for (const slot of this.shown) if (slot) slot.shadowed = false;
    this.request();
  }
  /// The view of a camera: eye, target and vertical angle [degrees].
  look(eye, target, degrees) {
    if (!this.camera || this.camera.flat) return;
    const to = eye.map((x, a) => x - target[a]), distance = Math.hypot(...to) || 1;
    Object.assign(this.camera, { target: [...target], distance, turn: Math.atan2(to[1], to[0]), lift: Math.asin(to[2] / distance), angle: (degrees * Math.PI) / 180 });
    this.request();
  }
  get eye() {
    const c = this.camera;
    if (c.flat) return [c.target[0], c.target[1], c.target[2] + 10 * c.reach];
    const flat = c.distance * Math.cos(c.lift);
    return [c.target[0] + flat * Math.cos(c.turn), c.target[1] + flat * Math.sin(c.turn), c.target[2] + c.distance * Math.sin(c.lift)];
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
    const c = this.camera, { eye } = this;
    if (c.flat) {
      const half = c.distance * 0.42;
      return { eye, view: lookAt(eye, c.target, [0, 1, 0]), projection: orthographic(half * aspect, half, 0.01 * c.reach, 40 * c.reach) };
    }
    return { eye, view: lookAt(eye, c.target, [0, 0, 1]), projection: perspective(c.angle, aspect, c.distance * 0.02, c.distance + 60 * c.reach) };
  }
  /// As the sun sees the middle of the scene.
  sunMatrices() {
    const R = 1.5 * this.camera.reach, from = this.middle.map((x, a) => x + 4 * R * sunDirection[a]);
    return { view: lookAt(from, this.middle, [0, 1, 0]), projection: orthographic(R, R, R, 8 * R) };
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
    for (const slot of sides) if (!slot.shadowed) this.drawShadows(slot);
    gl.enable(gl.SCISSOR_TEST);
    sides.forEach((slot, k) => {
      gl.viewport(k * part, 0, part, height);
      gl.scissor(k * part, 0, part, height);
      this.drawSlot(slot, this.matrices(part / height));
    });
    ++this.drawn;
    canvas.dataset.drawn = this.drawn;
  }

  use(which, { view, projection }) {
    const { gl } = this;
    gl.useProgram(which.program);
    gl.uniformMatrix4fv(which.at('view'), false, view);
    gl.uniformMatrix4fv(which.at('projection'), false, projection);
  }
  /// Sun, sky and shadows for a program that is used.
  light(which, slot, view) {
    const { gl } = this, turned = (d) => [0, 1, 2].map((r) => view[r] * d[0] + view[4 + r] * d[1] + view[8 + r] * d[2]);
    const sun = this.sunMatrices(), flat = this.camera.flat;
    gl.uniform3fv(which.at('sun'), flat ? [-0.41, 0.68, 0.61] : turned(sunDirection));
    gl.uniform3fv(which.at('up'), flat ? [0, 1, 0] : turned([0, 0, 1]));
    // Nothing is in shadow where the sun cannot be seen at all.
    const none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 1];
    gl.uniformMatrix4fv(which.at('shadowOfView'), false, flat ? none : multiply(multiply(sun.projection, sun.view), inverse(view)));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, slot.depths.texture);
    gl.uniform1i(which.at('depths'), 0);
  }
  drawParticles(which, slot) {
    const { gl } = this, { header, count } = slot.frame;
    gl.uniform3fv(which.at('low'), header.min);
    gl.uniform3fv(which.at('size'), header.max.map((x, a) => x - header.min[a]));
    gl.uniform1f(which.at('radius'), header.radius);
    gl.uniform1i(which.at('movedObject'), this.moved.object);
    gl.uniform3fv(which.at('movedBy'), this.moved.by);
    gl.bindVertexArray(slot.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.bindVertexArray(null);
  }
  drawProps(which, slot, ghosts) {
    if (!this.props) return;
    const { gl } = this;
    gl.bindVertexArray(this.props.array);
    this.props.list.forEach((prop, k) => {
      const pose = slot.frame.header.poses[k];
      if (prop.ghost !== ghosts || !pose) return;
      gl.uniformMatrix4fv(which.at('pose'), false, poseMatrix(pose, this.moved.prop === k ? this.moved.by : undefined));
      if (ghosts) gl.uniform1f(which.at('strength'), pose[12] ? 1 : 0.35);
      gl.drawElements(gl.TRIANGLES, 3 * prop.triangles, gl.UNSIGNED_INT, 12 * prop.first);
    });
    gl.bindVertexArray(null);
  }
  drawSurface(which, slot) {
    const { gl } = this;
    gl.uniformMatrix4fv(which.at('pose'), false, identity);
    gl.bindVertexArray(slot.surface.array);
    gl.drawElements(gl.TRIANGLES, slot.surface.count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }

  drawShadows(slot) {
    slot.shadowed = true;
    if (this.camera.flat) return;
    const { gl } = this, sun = this.sunMatrices();
    gl.bindFramebuffer(gl.FRAMEBUFFER, slot.depths.target);
    gl.viewport(0, 0, shadowSize, shadowSize);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    if (!slot.surface) {
      this.use(this.sphereShadows, sun);
      this.drawParticles(this.sphereShadows, slot);
    }
    this.use(this.meshShadows, sun);
    if (slot.surface) this.drawSurface(this.meshShadows, slot);
    this.drawProps(this.meshShadows, slot, false);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  drawSlot(slot, matrices) {
    const { gl, camera } = this, { header } = slot.frame;
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const plain = (which, numbers, mode, settings) => {
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
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (!camera.flat && matrices.eye[2] > this.floorHeight) {
      const R = 3.2 * camera.reach, [x, y] = this.middle, z = this.floorHeight - 0.002 * camera.reach;
      gl.depthMask(false);
      gl.enable(gl.BLEND);
      this.use(this.floor, matrices);
      this.light(this.floor, slot, matrices.view);
      plain(this.floor, [x - R, y - R, z, x + R, y - R, z, x - R, y + R, z, x + R, y + R, z], gl.TRIANGLE_STRIP,
            { middle: this.middle, shade: dark ? [0.19, 0.185, 0.18] : [0.93, 0.92, 0.91], reach: R, cell: 10 ** Math.round(Math.log10(camera.reach / 3)), darkness: dark ? 0.45 : 0.26 });
      gl.disable(gl.BLEND);
      gl.depthMask(true);
    }
    if (slot.surface || this.props) {
      this.use(this.meshes, matrices);
      this.light(this.meshes, slot, matrices.view);
      gl.uniform1f(this.meshes.at('shine'), 0.05);
      this.drawProps(this.meshes, slot, false);
      gl.uniform1f(this.meshes.at('shine'), 0.3);
      if (slot.surface) this.drawSurface(this.meshes, slot);
    }
    if (!slot.surface) {
      this.use(this.spheres, matrices);
      this.light(this.spheres, slot, matrices.view);
      gl.uniform1f(this.spheres.at('perspectiveView'), camera.flat ? 0 : 1);
      this.drawParticles(this.spheres, slot);
    }
    const edges = header.containers.flat(3);
    if (edges.length) {
      this.use(this.lines, matrices);
      plain(this.lines, edges, gl.LINES, { shade: dark ? [0.6, 0.58, 0.56] : [0.45, 0.43, 0.41] });
    }
    if (this.props?.list.some((prop) => prop.ghost)) {
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      this.use(this.ghosts, matrices);
      this.drawProps(this.ghosts, slot, true);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
  }

  /// Place of a particle in the world.
  position(frame, i) {
    const { min, max } = frame.header;
    return [0, 1, 2].map((a) => min[a] + ((max[a] - min[a]) * frame.places[4 * i + a]) / 65535);
  }

  /// What is under a point of the canvas: { particle, place, prop }, numbers or -1. Ghosts only if nothing else is.
  pick(clientX, clientY) {
    const nothing = { particle: -1, prop: -1, place: 0 };
    if (!this.shown[0]?.frame) return nothing;
    const box = this.canvas.getBoundingClientRect(), sides = this.shown.length || 1;
    const wide = box.width / sides, place = Math.min(sides - 1, Math.floor((clientX - box.left) / wide));
    const x = clientX - box.left - place * wide, y = clientY - box.top, { frame } = this.shown[place];
    const { view, projection } = this.matrices(wide / box.height), whole = multiply(projection, view);
    const result = { ...nothing, place };
    let nearest = Infinity;
    for (let i = 0; i < frame.header.particles; ++i) {
      const p = this.position(frame, i), c = transform(whole, p);
      const r = (frame.header.radius * frame.places[4 * i + 3]) / 65535;
      const pixels = ((r * projection[5]) / c[3]) * 0.5 * box.height;
      const dx = (0.5 + (0.5 * c[0]) / c[3]) * wide - x, dy = (0.5 - (0.5 * c[1]) / c[3]) * box.height - y;
      if (dx * dx + dy * dy < pixels * pixels && c[2] / c[3] < nearest) [result.particle, nearest] = [i, c[2] / c[3]];
    }
    const back = inverse(whole), at = (depth) => {
      const p = transform(back, [(2 * x) / wide - 1, 1 - (2 * y) / box.height, depth]);
      return p.slice(0, 3).map((v) => v / p[3]);
    };
    const from = at(-1), to = at(1), hits = (ghosts) => this.props?.list.forEach((prop, k) => {
      if (prop.ghost !== ghosts || !frame.header.poses[k]) return;
      const hit = this.hitOf(prop, frame.header.poses[k], from, to);
      if (!hit) return;
      const c = transform(whole, hit), depth = c[2] / c[3];
      if (depth < nearest) [result.prop, result.particle, nearest] = [k, -1, depth];
    });
    hits(false);
    if (result.particle < 0 && result.prop < 0) hits(true);
    return result;
  }
  /// Where the line between two points first meets a prop.
  hitOf(prop, pose, from, to) {
    const back = inverse(poseMatrix(pose)), a = transform(back, from), d = transform(back, to).map((x, k) => x - a[k]);
    const { places, triangles } = this.props;
    const vertex = (k) => [0, 1, 2].map((axis) => places[3 * triangles[k] + axis]);
    const minus = (p, q) => p.map((x, k) => x - q[k]), cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let best = Infinity;
    for (let k = 3 * prop.first; k < 3 * (prop.first + prop.triangles); k += 3) {
      const p = vertex(k), u = minus(vertex(k + 1), p), v = minus(vertex(k + 2), p), n = cross(d, v), det = dot(u, n);
      if (Math.abs(det) < 1e-20) continue;
      const s = minus(a.slice(0, 3), p), m = cross(s, u), i = dot(s, n) / det, j = dot(d, m) / det, t = dot(v, m) / det;
      if (i >= 0 && j >= 0 && i + j <= 1 && t > 0 && t < best) best = t;
    }
    return best < 1 ? from.map((x, k) => x + best * (to[k] - x)) : null;
  }

  listen() {
    const { canvas } = this;
    let held = null;
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY, moved: 0, button: event.button, moves: false };
      if (!event.altKey || event.button) return;
      const { particle, prop, place } = this.pick(event.clientX, event.clientY);
      const object = particle >= 0 ? this.shown[place].frame.tints[4 * particle + 3] : -1;
      held.moves = object >= 0 || prop >= 0;
      this.moved = { object, prop, by: [0, 0, 0] };
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!held || !this.camera) return;
      const c = this.camera, dx = event.clientX - held.x, dy = event.clientY - held.y;
      held.moved += Math.abs(dx) + Math.abs(dy);
      [held.x, held.y] = [event.clientX, event.clientY];
      const { view } = this.matrices(1), metres = (c.distance * (c.flat ? 0.84 : 2 * Math.tan(c.angle / 2))) / canvas.clientHeight;
      const across = [0, 1, 2].map((a) => (view[4 * a] * dx - view[4 * a + 1] * dy) * metres);
      if (held.moves) {
        this.moved.by = this.moved.by.map((x, a) => x + across[a]);
        for (const slot of this.shown) if (slot) slot.shadowed = false;
      } else if (event.shiftKey || held.button !== 0 || c.flat) c.target = c.target.map((x, a) => x - across[a]);
      else {
        c.turn -= dx * 0.008;
        c.lift = Math.min(1.55, Math.max(-1.55, c.lift + dy * 0.008));
      }
      this.request();
    });
    canvas.addEventListener('pointerup', (event) => {
      const was = held;
      held = null;
      if (was?.moves) {
        const { object, prop, by } = this.moved;
        if (was.moved > 3) this.onMove(object, prop < 0 ? null : this.props.list[prop], by);
        else this.stay();
      } else if (was && was.moved < 4 && was.button === 0) {
        const { particle, prop, place } = this.pick(event.clientX, event.clientY);
        this.onPick(particle < 0 ? null : this.position(this.shown[place].frame, particle), prop < 0 ? null : this.props.list[prop], place);
      }
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      if (this.camera) this.camera.distance *= Math.exp(event.deltaY * 0.0012);
      this.request();
    }, { passive: false });
  }
  /// Nothing is being moved any more.
  stay() {
    this.moved = { object: -1, prop: -1, by: [0, 0, 0] };
    for (const slot of this.shown) if (slot) slot.shadowed = false;
    this.request();
  }
}
