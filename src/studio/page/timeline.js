// The timeline: a row for every behaviour of a material (its weight as a curve) and for every value that is keyframed;
// keys are dragged, the playhead scrubs, computed frames are marked.

import { pathOf } from './client.js';

const names = 214, ruler = 24, row = 26, inset = 6;
const svg = (tag, attributes = {}, text) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

/// Everything in the tree of a scene that runs over time, and the behaviours of materials.
export function tracksOf(tree, behaviours) {
  const tracks = [];
  const visit = (node, words) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node.time) && Array.isArray(node.value)) return tracks.push({ words, curve: node });
    const isBehaviour = (words[0] === 'materials' && words.length === 3) || (words[0] === 'objects' && words.length === 3);
    if (isBehaviour && behaviours.has(words[2]) && !Array.isArray(node) && !node.weight?.time)
      tracks.push({ words: [...words, 'weight'], constant: typeof node.weight === 'number' ? node.weight : 1, over: node.weight?.over });
    const entries = Array.isArray(node) ? node.map((one, k) => [one?.name ?? String(k), one]) : Object.entries(node);
    for (const [key, one] of entries) visit(one, [...words, key]);
  };
  visit(tree, []);
  // What is keyframed comes first.
  return tracks.sort((a, b) => (b.curve ? 1 : 0) - (a.curve ? 1 : 0));
}

export class Timeline {
  /// actions: show(frame), moveKey(path, number, time), addKey(path, time, value), removeKey(path, number), select(words).
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.zoom = 1;
    this.tracks = [];
    this.state = { frames: 1, frames_per_second: 1, last_frame: -1, duration: 1 };
    this.frame = 0;
    new ResizeObserver(() => this.draw()).observe(place);
    place.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom = Math.min(40, Math.max(1, this.zoom * Math.exp(-event.deltaY * 0.002)));
      this.draw();
    }, { passive: false });
  }

  get width() {
    return Math.max(200, (this.place.clientWidth - names - 24) * this.zoom);
  }
  x(time) {
    return names + (time / this.state.duration) * this.width;
  }
  time(clientX) {
    const box = this.svg.getBoundingClientRect();
    return Math.max(0, ((clientX - box.left - names) / this.width) * this.state.duration);
  }
  /// To frames, unless Alt is held.
  snapped(time, event) {
    const fps = this.state.frames_per_second;
    return event.altKey ? Number(time.toFixed(4)) : Number((Math.round(time * fps) / fps).toFixed(6));
  }

  setTracks(tracks) {
    this.tracks = tracks;
    this.draw();
  }

  setState(state, frame) {
    const other = ['frames', 'frames_per_second', 'duration'].some((key) => this.state[key] !== state[key]);
    this.state = state;
    this.frame = frame;
    if (other || !this.svg) this.draw();
    else this.drawHead();
  }

  draw() {
    if (this.held) return;
    const height = ruler + this.tracks.length * row + 6;
    const root = svg('svg', { width: names + this.width + 20, height: Math.max(height, this.place.clientHeight - 2) });
    this.svg = root;
    const over = svg('rect', { class: 'ruler', x: names, y: 0, width: this.width + 20, height: ruler });
    root.append(over);
    this.drawTicks(root, height);
    this.tracks.forEach((track, k) => this.drawTrack(root, track, ruler + k * row));
    this.cached = svg('rect', { class: 'cached', x: names, y: ruler - 4, height: 4 });
    this.computing = svg('rect', { class: 'computing', y: ruler - 4, height: 4, width: 6 });
    this.head = svg('line', { class: 'head', y1: 0, y2: Math.max(height, this.place.clientHeight - 2) });
    this.knob = svg('path', { class: 'knob', d: 'M-6 0H6V8L0 15L-6 8Z', tabindex: 0, role: 'slider', 'aria-label': 'Playhead' });
    root.append(this.cached, this.computing, this.head, this.knob);
    for (const grip of [over, this.knob]) grip.addEventListener('pointerdown', (event) => this.scrub(event));
    this.place.replaceChildren(root);
    this.drawHead();
  }

  drawTicks(root, height) {
    const rough = (80 / this.width) * this.state.duration, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
    for (let k = 0; k * step <= this.state.duration * 1.0001; ++k) {
      const x = this.x(k * step);
      root.append(svg('line', { class: 'tick', x1: x, x2: x, y1: 0, y2: height }));
      root.append(svg('text', { class: 'tick-label', x: x + 3, y: 11 }, `${Number((k * step).toPrecision(6))} s`));
    }
  }

  drawTrack(root, track, top) {
    const label = track.words.slice(track.words[0] === 'materials' || track.words[0] === 'objects' ? 1 : 0).join(' › ');
    const name = svg('text', { class: 'name', x: 8, y: top + 17 }, label.length > 36 ? '…' + label.slice(-35) : label);
    name.append(svg('title', {}, track.words.join('.')));
    name.addEventListener('click', () => this.actions.select(track.words));
    const bar = svg('rect', { class: 'row', x: names, y: top + 1, width: this.width, height: row - 3, rx: 3 });
    bar.addEventListener('dblclick', (event) => this.actions.addKey(track, this.snapped(this.time(event.clientX), event)));
    root.append(name, bar);
    const bottom = top + row - inset, tall = row - 2 * inset;
    const scalar = (value) => (Array.isArray(value) ? Math.hypot(...value) : typeof value === 'number' ? value : value ? 1 : 0);
    if (!track.curve) {
      const y = bottom - tall * (track.over ? 0.5 : track.constant);
      root.append(svg('rect', { class: 'under', x: names, y, width: this.width, height: bottom - y, 'pointer-events': 'none' }));
      root.append(svg('line', { class: 'curve', x1: names, x2: names + this.width, y1: y, y2: y, 'pointer-events': 'none' }));
      if (track.over) root.append(svg('text', { class: 'tick-label', x: names + 6, y: bottom }, `over ${track.over}`));
      return;
    }
    const { time, value, interpolation } = track.curve, values = value.map(scalar);
    const low = track.words.at(-1) === 'weight' ? 0 : Math.min(...values), high = track.words.at(-1) === 'weight' ? 1 : Math.max(...values);
    const y = (v) => bottom - tall * (high > low ? (v - low) / (high - low) : 0.5);
    let path = `M${names} ${y(values[0])}`;
    for (let k = 0; k < time.length; ++k) {
      const x = this.x(time[k]);
      if (k && interpolation === 'step') path += `L${x} ${y(values[k - 1])}`;
      if (k && interpolation === 'smooth') {
        const before = this.x(time[k - 1]), middle = (before + x) / 2;
        path += `C${middle} ${y(values[k - 1])} ${middle} ${y(values[k])} ${x} ${y(values[k])}`;
      } else path += `L${x} ${y(values[k])}`;
    }
    const end = names + this.width;
    path += `L${Math.max(end, this.x(time.at(-1)))} ${y(values.at(-1))}`;
    root.append(svg('path', { class: 'under', d: `${path}V${bottom}H${names}Z`, 'pointer-events': 'none' }));
    root.append(svg('path', { class: 'curve', d: path, 'pointer-events': 'none' }));
    time.forEach((t, k) => root.append(this.key(track, k, this.x(t), y(values[k]))));
  }

  key(track, number, x, y) {
    const path = pathOf(track.words), { time, value } = track.curve;
    const key = svg('circle', { class: 'key', cx: x, cy: y, r: 5, tabindex: 0, role: 'slider', 'data-path': path, 'data-number': number,
      'aria-label': `Key ${number + 1} of ${path}`, 'aria-valuenow': time[number], 'aria-valuetext': `${value[number]} at ${time[number]} s` });
    key.append(svg('title', {}, `${time[number]} s: ${JSON.stringify(value[number])}\ndrag to move, double-click to remove`));
    const between = (t) => {
      const step = 1e-4, least = number ? time[number - 1] + step : 0, most = number + 1 < time.length ? time[number + 1] - step : Infinity;
      return Number(Math.min(most, Math.max(least, t)).toFixed(6));
    };
    key.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      key.setPointerCapture(event.pointerId);
      this.held = { moved: false, to: time[number] };
      key.classList.add('held');
    });
    key.addEventListener('pointermove', (event) => {
      if (!this.held) return;
      this.held.to = between(this.snapped(this.time(event.clientX), event));
      this.held.moved ||= this.held.to !== time[number];
      key.setAttribute('cx', this.x(this.held.to));
    });
    key.addEventListener('pointerup', () => {
      const held = this.held;
      this.held = null;
      key.classList.remove('held');
      if (held?.moved) this.actions.moveKey(path, number, held.to);
      else this.actions.select(track.words);
    });
    key.addEventListener('dblclick', (event) => {
      event.stopPropagation();
      this.actions.removeKey(path, number);
    });
    key.addEventListener('keydown', (event) => {
      const frame = 1 / this.state.frames_per_second, by = { ArrowLeft: -frame, ArrowRight: frame }[event.key];
      if (event.key === 'Delete') this.actions.removeKey(path, number);
      if (by) this.actions.moveKey(path, number, between(time[number] + by));
      if (by || event.key === 'Delete') event.stopPropagation(), event.preventDefault();
    });
    return key;
  }

  drawHead() {
    const { frames_per_second: fps, last_frame: last, playing } = this.state;
    const end = this.x(Math.max(0, last) / fps), x = this.x(this.frame / fps);
    this.cached.setAttribute('width', Math.max(0, end - names));
    this.computing.setAttribute('x', end);
    this.computing.setAttribute('visibility', playing ? 'visible' : 'hidden');
    this.head.setAttribute('x1', x);
    this.head.setAttribute('x2', x);
    this.knob.setAttribute('transform', `translate(${x} 0)`);
    this.knob.setAttribute('aria-valuenow', this.frame);
    this.knob.setAttribute('aria-valuetext', `frame ${this.frame}`);
  }

  scrub(event) {
    const go = (one) => {
      const frame = Math.round(this.time(one.clientX) * this.state.frames_per_second);
      this.actions.show(Math.min(Math.max(0, frame), Math.max(0, this.state.last_frame)));
    };
    const stop = () => {
      window.removeEventListener('pointermove', go);
      window.removeEventListener('pointerup', stop);
    };
    window.addEventListener('pointermove', go);
    window.addEventListener('pointerup', stop);
    go(event);
  }
}
