// The timeline: groups of lanes under a ruler (tracks.js says which). Curves are drawn with their keys, materials that
// follow each other as clips with fades; keys and edges of clips are dragged, the playhead scrubs, computed frames are
// marked. Names and ruler stay in sight when it is scrolled.

import { pathOf } from './client.js';
import { clipsOf, valueAt } from './tracks.js';

const svg = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const html = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const titled = (element, text) => (element.append(svg('title', {}, text)), element);
const shortNumber = (value) => String(Number(Number(value).toPrecision(3)));
const shown = (value) => (Array.isArray(value) ? `(${value.map(shortNumber).join(', ')})` : typeof value === 'number' ? shortNumber(value) : String(value));
const ruler = 24, colours = 8;

export class Timeline {
  /// actions: show(frame), select(words), moveKey(path, number, time), setKey(path, number, value), removeKey(path,
  /// number), addKey(lane, time), moveClip(lane, number, from, fade), removeClip(lane, number), addClip(lane, time), hint(text).
  constructor(place, actions) {
    Object.assign(this, { place, actions, zoom: 1, groups: [], folded: new Set(), snapping: true, frame: 0 });
    this.state = { frames: 1, frames_per_second: 1, last_frame: -1, duration: 1 };
    this.corner = html('div', { class: 'corner', role: 'toolbar', 'aria-label': 'Timeline' });
    this.ruler = svg('svg', { class: 'ruler-strip' });
    this.names = html('div', { class: 'names' });
    this.lanes = svg('svg', { class: 'lanes' });
    place.replaceChildren(this.corner, this.ruler, this.names, this.lanes);
    this.drawCorner();
    this.ruler.addEventListener('pointerdown', (event) => this.scrub(event));
    new ResizeObserver(() => this.draw()).observe(place);
    place.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * 0.002), event.clientX);
    }, { passive: false });
  }

  drawCorner() {
    const button = (text, label, action) => {
      const made = html('button', { title: label, 'aria-label': label }, text);
      made.addEventListener('click', action);
      return made;
    };
    const snap = html('input', { type: 'checkbox', id: 'snap' });
    snap.checked = true;
    snap.addEventListener('change', () => (this.snapping = snap.checked));
    this.corner.append(
      html('label', { class: 'check', title: 'Keys and clips snap to frames; hold Alt for once the other way' }, snap, ' snap'),
      button('−', 'Zoom out (Ctrl-wheel)', () => this.zoomBy(1 / 1.5)), button('+', 'Zoom in (Ctrl-wheel)', () => this.zoomBy(1.5)),
      button('↔', 'Show the whole time', () => this.zoomBy(0)));
  }

  /// Around a point of the screen, or the playhead.
  zoomBy(factor, clientX) {
    const before = this.zoom, box = this.lanes.getBoundingClientRect();
    const x = clientX === undefined ? this.x(this.frame / this.state.frames_per_second) : clientX - box.left;
    this.zoom = Math.min(40, Math.max(1, this.zoom * factor));
    this.draw();
    this.place.scrollLeft += (x - this.margin) * (this.zoom / before - 1);
  }

  get margin() {
    return 8;
  }
  get laneHeight() {
    return parseFloat(getComputedStyle(this.place).getPropertyValue('--lane')) || 26;
  }
  get width() {
    return Math.max(200, (this.place.clientWidth - this.names.offsetWidth - 2 * this.margin - 8) * this.zoom);
  }
  x(time) {
    return this.margin + (time / this.state.duration) * this.width;
  }
  time(clientX) {
    const box = this.lanes.getBoundingClientRect();
    return Math.max(0, ((clientX - box.left - this.margin) / this.width) * this.state.duration);
  }
  /// To frames, or not with Alt.
  snapped(time, event) {
    const fps = this.state.frames_per_second;
    return this.snapping !== Boolean(event?.altKey) ? Number((Math.round(time * fps) / fps).toFixed(6)) : Number(time.toFixed(4));
  }

  setGroups(groups) {
    this.groups = groups;
    // A material keeps its colour in its own group and in the clips.
    const materials = groups.filter((group) => group.words[0] === 'materials').map((group) => group.name);
    this.hue = (group) => {
      const k = materials.indexOf(typeof group === 'string' ? group : group.name);
      return `hue-${(typeof group === 'string' || group.words[0] === 'materials') && k >= 0 ? k % colours : (materials.length + groups.indexOf(group)) % colours}`;
    };
    this.draw();
  }

  setState(state, frame) {
    const other = ['frames', 'frames_per_second', 'duration'].some((key) => this.state[key] !== state[key]);
    this.state = state;
    this.frame = frame;
    if (other || !this.head) this.draw();
    else this.drawHead();
  }

  draw() {
    if (this.held) return;
    // What was reached with the keyboard stays so; after a drag the arrows go from frame to frame again.
    const focus = document.activeElement?.matches?.('#timeline .key:focus-visible') && { ...document.activeElement.dataset };
    const lane = this.laneHeight, rows = this.groups.reduce((n, group) => n + 1 + (this.folded.has(pathOf(group.words)) ? 0 : group.lanes.length), 0);
    const wide = this.width + 2 * this.margin, tall = Math.max(rows * lane + 8, this.place.clientHeight - ruler - 2);
    for (const [strip, height] of [[this.ruler, ruler], [this.lanes, tall]]) {
      strip.replaceChildren();
      strip.setAttribute('width', wide);
      strip.setAttribute('height', height);
    }
    this.names.replaceChildren();
    this.drawTicks(tall);
    let top = 0;
    const bands = svg('g'), drawn = svg('g');
    this.lanes.append(bands, drawn);
    for (const group of this.groups) {
      bands.append(this.groupBand(group, top));
      top += lane;
      if (this.folded.has(pathOf(group.words))) continue;
      for (const one of group.lanes) {
        drawn.append(this.drawLane(group, one, top));
        top += lane;
      }
    }
    this.after = svg('rect', { class: 'not-computed', y: 0, height: tall });
    this.head = svg('line', { class: 'head', y1: 0, y2: tall });
    this.lanes.append(this.after, this.head);
    this.cached = svg('rect', { class: 'cached', x: this.x(0), y: ruler - 4, height: 4 });
    this.computing = svg('rect', { class: 'computing', y: ruler - 4, height: 4, width: 8 });
    this.knob = svg('path', { class: 'knob', d: 'M-6 2H6V12L0 19L-6 12Z', tabindex: 0, role: 'slider', 'aria-label': 'Playhead', 'aria-valuemin': 0 });
    this.ruler.append(titled(this.cached, 'computed frames'), this.computing, this.knob);
    this.drawHead();
    if (focus?.path) this.lanes.querySelector(`.key[data-path="${CSS.escape(focus.path)}"][data-number="${focus.number}"]`)?.focus();
  }

  drawTicks(tall) {
    const rough = (80 / this.width) * this.state.duration, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
    for (let k = 0; k * step <= this.state.duration * 1.0001; ++k) {
      const x = this.x(k * step);
      this.lanes.append(svg('line', { class: 'tick', x1: x, x2: x, y1: 0, y2: tall }));
      this.ruler.append(svg('line', { class: 'tick', x1: x, x2: x, y1: 12, y2: ruler }));
      const last = this.x(this.state.duration) - x < 30;
      this.ruler.append(svg('text', { class: 'tick-label', x: last ? x - 3 : x + 3, y: 12, 'text-anchor': last ? 'end' : 'start' }, `${Number((k * step).toPrecision(6))} s`));
    }
  }

  groupBand(group, top) {
    const path = pathOf(group.words), folded = this.folded.has(path);
    const row = html('button', { class: `group-name ${this.hue(group)}`, 'aria-expanded': !folded, title: `${path}: fold or unfold` },
                     html('i', { 'aria-hidden': 'true' }, folded ? '▸' : '▾'), html('b', {}, group.name), html('small', {}, group.kind));
    row.addEventListener('click', () => {
      folded ? this.folded.delete(path) : this.folded.add(path);
      this.actions.select(group.words);
      this.draw();
    });
    this.names.append(row);
    return svg('rect', { class: 'group-band', x: 0, y: top, width: this.width + 2 * this.margin, height: this.laneHeight });
  }

  drawLane(group, lane, top) {
    const path = pathOf(lane.words), name = html('button', { class: 'lane-name', title: path, 'data-path': path }, lane.label);
    name.addEventListener('click', () => this.actions.select(lane.words));
    this.names.append(name);
    const inset = 7, bottom = top + this.laneHeight - inset, high = this.laneHeight - 2 * inset;
    const box = svg('g', { class: `lane ${this.hue(group)}`, 'data-path': path });
    const back = svg('rect', { class: 'row', x: this.margin, y: top + 2, width: this.width, height: this.laneHeight - 4, rx: 3 });
    const add = lane.clips ? this.actions.addClip : this.actions.addKey;
    box.addEventListener('dblclick', (event) => {
      if (!event.target.closest('.key')) add(lane, this.snapped(this.time(event.clientX), event));
    });
    box.append(titled(back, lane.clips ? 'double-click for another material from there on' : 'double-click for a key'));
    if (lane.clips) this.drawClips(box, lane, bottom, high);
    else if (lane.curve) this.drawCurve(box, lane, bottom, high);
    else this.drawConstant(box, lane, bottom, high);
    return box;
  }

  drawConstant(box, lane, bottom, high) {
    const y = bottom - high * (lane.over ? 0.5 : Math.min(1, Math.max(0, lane.constant))), right = this.x(this.state.duration);
    box.append(svg('rect', { class: 'under', x: this.margin, y, width: right - this.margin, height: bottom - y }));
    const text = lane.over ? `by ${lane.over} of each particle` : '';
    if (text) box.append(svg('text', { class: 'lane-label', x: this.margin + 8, y: y + 4 }, text));
    box.append(svg('line', { class: `curve ${text ? 'dashed' : ''}`, x1: this.margin + (text ? 18 + 7 * text.length : 0), x2: right, y1: y, y2: y }));
  }

  drawCurve(box, lane, bottom, high) {
    const { time, value, interpolation, repeat } = lane.curve;
    // Vectors by their distance from the first one.
    const first = value[0], scalar = (v) => (Array.isArray(v) ? Math.hypot(...v.map((x, a) => x - first[a])) : typeof v === 'number' ? v : v ? 1 : 0);
    const values = value.map(scalar), least = lane.weight ? 0 : Math.min(...values), most = lane.weight ? 1 : Math.max(...values);
    const y = (v) => bottom - high * (most > least ? (v - least) / (most - least) : 0.5), end = this.state.duration;
    // Straight pieces have corners at their keys; others are sampled.
    let times = [0, ...time.filter((t) => t > 0 && t < end), end];
    const straight = !repeat && (interpolation ?? 'linear') === 'linear';
    if (interpolation === 'step') times = times.flatMap((t, k) => (k ? [t - 1e-9, t] : [t]));
    else if (!straight) times = [...times, ...Array.from({ length: 240 }, (_, k) => (end * k) / 240)].sort((a, b) => a - b);
    const path = times.map((t, k) => `${k ? 'L' : 'M'}${this.x(t).toFixed(1)} ${y(scalar(valueAt(lane.curve, t))).toFixed(1)}`).join('');
    box.append(svg('path', { class: 'under', d: `${path}V${bottom}H${this.margin}Z` }), svg('path', { class: 'curve', d: path }));
    time.forEach((t, k) => {
      const next = time[k + 1], room = (next === undefined ? end + 1 : next) > t ? this.x(Math.min(next ?? end, end)) - this.x(t) : 0;
      if (room > 64 && !lane.weight) {
        const low = y(values[k]) > bottom - high / 2 - 1;
        box.append(svg('text', { class: 'lane-label', x: this.x(t) + 8, y: low ? y(values[k]) - 4 : y(values[k]) + 11 }, shown(value[k])));
      }
    });
    time.forEach((t, k) => box.append(this.key(lane, k, y, { least, most, bottom, high })));
  }

  /// Something that is dragged along the time, by mouse or arrow keys.
  grip(element, { path, number, label, time, text, limits, move, end, remove, click, lift, lifted }) {
    for (const [name, value] of Object.entries({ tabindex: 0, role: 'slider', 'data-path': path, 'data-number': number, 'aria-label': label,
      'aria-valuenow': time, 'aria-valuetext': text })) element.setAttribute(name, value);
    const within = (t) => Number(Math.min(limits[1], Math.max(limits[0], t)).toFixed(6));
    element.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      event.stopPropagation();
      element.setPointerCapture(event.pointerId);
      this.held = { to: time, value: undefined, lifting: Boolean(lift) && event.shiftKey };
      element.classList.add('held');
    });
    element.addEventListener('pointermove', (event) => {
      if (!this.held || !element.classList.contains('held')) return;
      if (this.held.lifting) this.held.value = lift(event.clientY - this.lanes.getBoundingClientRect().top, element);
      else move(this.held.to = within(this.snapped(this.time(event.clientX), event)), element);
      this.actions.hint(this.held.lifting ? shown(this.held.value) : `${this.held.to} s, frame ${Number((this.held.to * this.state.frames_per_second).toFixed(2))}`);
    });
    element.addEventListener('pointerup', () => {
      const held = this.held;
      this.held = null;
      element.classList.remove('held');
      this.actions.hint('');
      if (held?.lifting && held.value !== undefined) lifted(held.value);
      else if (held && held.to !== time) end(held.to);
      else if (held) click();
    });
    element.addEventListener('pointercancel', () => {
      this.held = null;
      this.actions.hint('');
      this.draw();
    });
    element.addEventListener('dblclick', remove);
    element.addEventListener('keydown', (event) => {
      const frame = 1 / this.state.frames_per_second, by = { ArrowLeft: -frame, ArrowRight: frame }[event.key];
      if (event.key === 'Delete') remove();
      if (by) end(within(time + by));
      if (by || event.key === 'Delete') event.stopPropagation(), event.preventDefault();
    });
    return element;
  }

  key(lane, number, y, { least, most, bottom, high }) {
    const path = pathOf(lane.words), { time, value } = lane.curve, mine = value[number];
    const scalar = typeof mine === 'number';
    const at = scalar ? y(mine) : Array.isArray(mine) ? y(Math.hypot(...mine.map((x, a) => x - value[0][a]))) : y(mine ? 1 : 0);
    const key = svg('circle', { class: 'key', cx: this.x(time[number]), cy: at, r: 4.5 }), step = 1e-4;
    titled(key, `${time[number]} s: ${shown(mine)}\ndrag to move${scalar ? ', shift-drag to change the value' : ''}, double-click to remove`);
    return this.grip(key, {
      path, number, label: `Key ${number + 1} of ${path}`, time: time[number], text: `${shown(mine)} at ${time[number]} s`,
      limits: [number ? time[number - 1] + step : 0, number + 1 < time.length ? time[number + 1] - step : Infinity],
      move: (to) => key.setAttribute('cx', this.x(to)),
      end: (to) => this.actions.moveKey(path, number, to),
      remove: () => this.actions.removeKey(path, number),
      click: () => this.actions.select(lane.words),
      lift: scalar && ((top) => {
        const range = most > least ? most - least : Math.abs(most) || 1, u = (bottom - top) / high;
        const to = least + (lane.weight ? Math.min(1, Math.max(0, u)) : u) * range;
        key.setAttribute('cy', bottom - high * ((to - least) / range));
        return Number(to.toPrecision(3));
      }),
      lifted: (to) => this.actions.setKey(path, number, to),
    });
  }

  drawClips(box, lane, bottom, high) {
    // Clips fill their lane.
    bottom += 3;
    high += 6;
    const clips = clipsOf(lane.clips, this.state.duration), top = bottom - high;
    if (!clips) {
      const over = lane.clips.find((one) => one.weight?.over)?.weight.over;
      box.append(svg('text', { class: 'lane-label', x: this.margin + 8, y: bottom - 4 },
                     `${lane.clips.map((one) => one.material).join(', ')}${over ? ` by ${over} of each particle` : ' with weights of their own'}`));
      return;
    }
    clips.forEach((clip, k) => {
      const [begin, full, leave, end] = [clip.begin, clip.full, clip.leave, clip.end].map((t) => this.x(Math.min(t, this.state.duration)));
      const shape = svg('path', { class: `clip ${this.hue(clip.material)}`, d: `M${begin} ${bottom}L${full} ${top}H${Math.max(full, leave)}L${end} ${bottom}Z` });
      shape.addEventListener('click', () => this.actions.select(lane.words));
      box.append(titled(shape, `${clip.material} from ${clip.begin} s${k ? `, fades in for ${shortNumber(clip.full - clip.begin)} s` : ''}`));
      if (Math.max(full, leave) - full > 10)
        box.append(svg('text', { class: 'clip-name', x: full + 10, y: bottom - high / 2 + 4, 'data-clip': k }, clip.material));
    });
    clips.forEach((clip, k) => {
      if (!k) return;
      const path = pathOf(lane.words), before = clips[k - 1], after = clips[k + 1];
      const edge = (kind, time, cy, limits, end, label) => {
        const grip = svg('circle', { class: `key clip-${kind}`, cx: this.x(time), cy, r: 4.5 });
        titled(grip, `${clip.material}: ${label} ${time} s\ndrag to move, double-click to remove the clip`);
        box.append(this.grip(grip, {
          path, number: k, label: `${clip.material}: ${label}`, time, text: `${time} s`, limits,
          move: (to) => grip.setAttribute('cx', this.x(to)), end,
          remove: () => this.actions.removeClip(lane, k), click: () => this.actions.select(lane.words),
        }));
      };
      const fade = clip.full - clip.begin, most = after ? after.begin : Infinity;
      edge('full', clip.full, top + 2, [clip.begin, most], (to) => this.actions.moveClip(lane, k, clip.begin, to - clip.begin), 'is alone from');
      edge('from', clip.begin, bottom - 2, [before.full, most - fade], (to) => this.actions.moveClip(lane, k, to, fade), 'begins at');
    });
  }

  drawHead() {
    const { frames_per_second: fps, last_frame: last, playing, duration } = this.state;
    const end = this.x(Math.max(0, last) / fps), x = this.x(this.frame / fps);
    this.cached.setAttribute('width', Math.max(0, end - this.margin));
    this.computing.setAttribute('x', end);
    this.computing.setAttribute('visibility', playing ? 'visible' : 'hidden');
    this.after.setAttribute('x', end);
    this.after.setAttribute('width', Math.max(0, this.x(duration) - end));
    this.head.setAttribute('x1', x);
    this.head.setAttribute('x2', x);
    this.knob.setAttribute('transform', `translate(${x} 0)`);
    this.knob.setAttribute('aria-valuenow', this.frame);
    this.knob.setAttribute('aria-valuemax', Math.max(0, last));
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
