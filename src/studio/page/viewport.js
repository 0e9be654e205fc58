// The viewport: particles as spheres that are exact in every pixel (quads on which the depth and the normal of a sphere
// are computed), solids and surfaces as triangles, regions and emitters as ghosts, a floor, shadows, containers as
// lines. Two takes can stand side by side.

import { identity, inverse, lookAt, multiply, orthographic, perspective, poseMatrix, transform } from './matrix.js';
import { listenTo } from './pointer.js';
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
    listenTo(this);
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
  /// Gives solids the shapes they have in a frame.
  shapeProps(frame) {
    const { gl, props } = this;
    if (props.shapedFor === frame) return;
    props.shapedFor = frame;
    for (const { prop, places, normals } of frame.deformed) {
      const first = props.list[prop]?.vertex;
      if (first === undefined || 3 * first + places.length > props.places.length) continue;
      props.places.set(places, 3 * first);
      for (const [buffer, data, at] of [[props.buffers[0], places, 12 * first], [props.buffers[2], normals, 4 * first]]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferSubData(gl.ARRAY_BUFFER, at, data);
      }
    }
  }
  drawProps(which, slot, ghosts) {
    if (!this.props) return;
    const { gl } = this;
    this.shapeProps(slot.frame);
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

  /// Nothing is being moved any more.
  stay() {
    this.moved = { object: -1, prop: -1, by: [0, 0, 0] };
    for (const slot of this.shown) if (slot) slot.shadowed = false;
    this.request();
  }
}
