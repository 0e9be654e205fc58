// What a scene says about time, as groups of lanes for the timeline: a group for every material, object and solid, in it
// a lane for the clips of its materials, for the weight of every behaviour, and for every value that is keyframed.

import { at } from './client.js';

const singular = { bodies: 'body', controls: 'control', flames: 'flame' };
const kindOf = (section) => singular[section] ?? section.replace(/s$/, '').replaceAll('_', ' ');
const plain = (words) => words.map((word) => word.replaceAll('_', ' ')).join(' › ');

/// Over time: { time, value, interpolation, repeat }.
export const isCurve = (node) => Array.isArray(node?.time) && Array.isArray(node?.value);

/// The lanes below a node of the scene. `words` is its path.
function lanesBelow(node, words, behaviours, written) {
  const lanes = [], start = words.length;
  const weight = (track, path, label) => {
    const given = track.weight;
    if (isCurve(given)) lanes.push({ words: [...path, 'weight'], label, weight: true, curve: given });
    else if (words[0] === 'materials' || at(written, [...path, 'weight']) !== undefined)
      lanes.push({ words: [...path, 'weight'], label, weight: true, constant: typeof given === 'number' ? given : 1, over: given?.over });
  };
  const visit = (one, path) => {
    if (!one || typeof one !== 'object') return;
    if (isCurve(one)) return lanes.push({ words: path, label: plain(path.slice(start)), curve: one });
    for (const [key, inner] of Object.entries(one)) visit(inner, [...path, Array.isArray(one) ? inner?.name ?? key : key]);
  };
  for (const [key, one] of Object.entries(node)) {
    const path = [...words, key];
    if (key === 'materials' && Array.isArray(one)) lanes.push({ words: path, label: 'materials', clips: one });
    else if (behaviours.has(key) && one && typeof one === 'object') {
      const several = Array.isArray(one);
      (several ? one : [one]).forEach((track, k) => {
        const trackPath = several ? [...path, String(k)] : path, { weight: given, ...others } = track;
        weight(track, trackPath, several ? `${plain([key])} ${k + 1}` : plain([key]));
        visit(others, trackPath);
      });
    } else visit(one, path);
  }
  return lanes;
}

/// Groups with lanes; those in which something changes over time come first.
export function groupsOf({ effective, written }, behaviours) {
  const groups = [];
  const add = (node, words) => {
    if (!node || typeof node !== 'object') return;
    const lanes = lanesBelow(node, words, behaviours, written);
    const changes = lanes.some((lane) => lane.curve || lane.clips);
    if (lanes.length) groups.push({ words, kind: kindOf(words[0]), name: words[1] ?? words[0], lanes, changes });
  };
  for (const [section, node] of Object.entries(effective ?? {})) {
    if (Array.isArray(node)) node.forEach((one, k) => add(one, [section, one?.name ?? String(k)]));
    else if (section === 'materials') for (const [name, one] of Object.entries(node)) add(one, [section, name]);
    else add(node, [section]);
  }
  return groups.sort((a, b) => b.changes - a.changes);
}

/// The clips of a list of materials as they follow each other: begin, end of the fade, and when the next has taken
/// over; null if their weights run over something else.
export function clipsOf(list, duration) {
  if (list.some((one) => one.weight !== undefined)) return null;
  return list.map((one, k) => {
    const begin = k ? one.from ?? 0 : 0, fade = k ? one.fade ?? 0 : 0, next = list[k + 1];
    return { material: one.material, begin, full: begin + fade, leave: next ? next.from ?? 0 : duration, end: next ? (next.from ?? 0) + (next.fade ?? 0) : duration };
  });
}

const mix = (a, b, u) =>
  Array.isArray(a) ? a.map((x, i) => mix(x, b[i], u)) : typeof a === 'number' ? a + u * (b - a) : u < 1 ? a : b;
const eased = { smooth: (u) => u * u * (3 - 2 * u), ease_in: (u) => u * u, ease_out: (u) => u * (2 - u), step: () => 0 };

/// The value of a curve at a time.
export function valueAt({ time, value, interpolation, repeat }, at) {
  const first = time[0], last = time.at(-1);
  const t = repeat && at >= last && last > first ? first + ((at - first) % (last - first)) : at;
  const k = time.findIndex((one) => one > t);
  if (k === 0) return value[0];
  if (k < 0) return value.at(-1);
  const u = (t - time[k - 1]) / (time[k] - time[k - 1]);
  return mix(value[k - 1], value[k], (eased[interpolation] ?? ((x) => x))(u));
}
