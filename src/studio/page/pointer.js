// Mouse and pen in the viewport: what is under a point, turning and moving the camera, moving objects.

import { inverse, multiply, poseMatrix, transform } from './matrix.js';

/// Place of a particle in the world.
function position(frame, i) {
  const { min, max } = frame.header;
  return [0, 1, 2].map((a) => min[a] + ((max[a] - min[a]) * frame.places[4 * i + a]) / 65535);
}

/// What is under a point of the canvas: { particle, place, prop }, numbers or -1. Ghosts only if nothing else is.
function pick(viewport, clientX, clientY) {
  const nothing = { particle: -1, prop: -1, place: 0 };
  if (!viewport.shown[0]?.frame) return nothing;
  const box = viewport.canvas.getBoundingClientRect(), sides = viewport.shown.length || 1;
  const wide = box.width / sides, place = Math.min(sides - 1, Math.floor((clientX - box.left) / wide));
  const x = clientX - box.left - place * wide, y = clientY - box.top, { frame } = viewport.shown[place];
  const { view, projection } = viewport.matrices(wide / box.height), whole = multiply(projection, view);
  const result = { ...nothing, place };
  let nearest = Infinity;
  for (let i = 0; i < frame.header.particles; ++i) {
    const p = position(frame, i), c = transform(whole, p);
    const r = (frame.header.radius * frame.places[4 * i + 3]) / 65535;
    const pixels = ((r * projection[5]) / c[3]) * 0.5 * box.height;
    const dx = (0.5 + (0.5 * c[0]) / c[3]) * wide - x, dy = (0.5 - (0.5 * c[1]) / c[3]) * box.height - y;
    if (dx * dx + dy * dy < pixels * pixels && c[2] / c[3] < nearest) [result.particle, nearest] = [i, c[2] / c[3]];
  }
  const back = inverse(whole), at = (depth) => {
    const p = transform(back, [(2 * x) / wide - 1, 1 - (2 * y) / box.height, depth]);
    return p.slice(0, 3).map((v) => v / p[3]);
  };
  const from = at(-1), to = at(1), hits = (ghosts) => viewport.props?.list.forEach((prop, k) => {
    if (prop.ghost !== ghosts || !frame.header.poses[k]) return;
    const hit = hitOf(viewport.props, prop, frame.header.poses[k], from, to);
    if (!hit) return;
    const c = transform(whole, hit), depth = c[2] / c[3];
    if (depth < nearest) [result.prop, result.particle, nearest] = [k, -1, depth];
  });
  hits(false);
  if (result.particle < 0 && result.prop < 0) hits(true);
  return result;
}
/// Where the line between two points first meets a prop.
function hitOf(props, prop, pose, from, to) {
  const back = inverse(poseMatrix(pose)), a = transform(back, from), d = transform(back, to).map((x, k) => x - a[k]);
  const { places, triangles } = props;
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

/// Calls viewport.onPick(point, prop, place) for what is clicked on and viewport.onMove(object, prop, by) for what is moved.
export function listenTo(viewport) {
  const { canvas } = viewport;
  let held = null;
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, moved: 0, button: event.button, moves: false };
    if (!event.altKey || event.button) return;
    const { particle, prop, place } = pick(viewport, event.clientX, event.clientY);
    const object = particle >= 0 ? viewport.shown[place].frame.tints[4 * particle + 3] : -1;
    held.moves = object >= 0 || prop >= 0;
    viewport.moved = { object, prop, by: [0, 0, 0] };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!held || !viewport.camera) return;
    const c = viewport.camera, dx = event.clientX - held.x, dy = event.clientY - held.y;
    held.moved += Math.abs(dx) + Math.abs(dy);
    [held.x, held.y] = [event.clientX, event.clientY];
    const { view } = viewport.matrices(1), metres = (c.distance * (c.flat ? 0.84 : 2 * Math.tan(c.angle / 2))) / canvas.clientHeight;
    const across = [0, 1, 2].map((a) => (view[4 * a] * dx - view[4 * a + 1] * dy) * metres);
    if (held.moves) {
      viewport.moved.by = viewport.moved.by.map((x, a) => x + across[a]);
      for (const slot of viewport.shown) if (slot) slot.shadowed = false;
    } else if (event.shiftKey || held.button !== 0 || c.flat) c.target = c.target.map((x, a) => x - across[a]);
    else {
      c.turn -= dx * 0.008;
      c.lift = Math.min(1.55, Math.max(-1.55, c.lift + dy * 0.008));
    }
    viewport.request();
  });
  canvas.addEventListener('pointerup', (event) => {
    const was = held;
    held = null;
    if (was?.moves) {
      const { object, prop, by } = viewport.moved;
      if (was.moved > 3) viewport.onMove(object, prop < 0 ? null : viewport.props.list[prop], by);
      else viewport.stay();
    } else if (was && was.moved < 4 && was.button === 0) {
      const { particle, prop, place } = pick(viewport, event.clientX, event.clientY);
      viewport.onPick(particle < 0 ? null : position(viewport.shown[place].frame, particle), prop < 0 ? null : viewport.props.list[prop], place);
    }
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (viewport.camera) viewport.camera.distance *= Math.exp(event.deltaY * 0.0012);
    viewport.request();
  }, { passive: false });
}
