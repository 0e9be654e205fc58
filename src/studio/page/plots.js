// Plots of the statistics and probes of the present take over time.

import { prettyUnit } from './client.js';

const usual = ['kinetic energy', 'largest speed', 'step size', 'mean compression', 'mass'];

export class Plots {
  constructor(place) {
    this.place = place;
    this.chosen = new Set();
  }

  /// Tables as the program gives them, and the time that is shown.
  show(tables, now) {
    const columns = ['statistics', 'probes'].flatMap((name) => {
      const [time, ...others] = tables[name];
      return (others ?? []).filter((one) => one.values.some((v) => typeof v === 'number')).map((one) => ({ ...one, times: time.values }));
    });
    const rank = (one) => (usual.indexOf(one.name) + usual.length + 1) % (usual.length + 1);
    columns.sort((a, b) => rank(a) - rank(b));
    const names = columns.map((one) => one.name).join();
    if (names !== this.names) this.layout(columns, names);
    for (const one of columns) if (this.canvases.has(one.name)) this.plot(this.canvases.get(one.name), one, now);
  }

  layout(columns, names) {
    this.names = names;
    this.canvases = new Map();
    this.place.replaceChildren(...columns.map((one) => {
      const box = document.createElement('div'), title = document.createElement('div'), canvas = document.createElement('canvas');
      box.className = 'plot';
      const value = document.createElement('span');
      title.append(one.unit ? `${one.name} [${prettyUnit(one.unit)}]` : one.name, value);
      canvas.setAttribute('role', 'img');
      box.append(title, canvas);
      this.canvases.set(one.name, canvas);
      return box;
    }));
    if (!columns.length) this.place.textContent = 'Nothing has been computed yet.';
  }

  plot(canvas, { name, times, values }, now) {
    const wide = canvas.clientWidth, tall = canvas.clientHeight, scale = window.devicePixelRatio;
    if (!wide) return;
    [canvas.width, canvas.height] = [wide * scale, tall * scale];
    const style = getComputedStyle(canvas), c = canvas.getContext('2d');
    const numbers = values.filter((v) => typeof v === 'number'), short = (v) => String(Number(v.toPrecision(4)));
    let low = Math.min(...numbers), high = Math.max(...numbers);
    // What changes by rounding only is drawn as constant.
    if (high - low < 1e-5 * Math.max(Math.abs(low), Math.abs(high))) low = high = numbers.at(-1);
    const end = times.at(-1) || 1, size = 10 + 2 * (parseFloat(style.fontSize) > 14), left = 5, base = tall - size - 8;
    const x = (t) => left + ((wide - 2 * left) * t) / end, y = (v) => base - (base - 6) * (high > low ? (v - low) / (high - low) : 0.5);
    const at = times.findLastIndex((t, k) => t <= now * 1.0001 && typeof values[k] === 'number');
    c.scale(scale, scale);
    c.lineWidth = 1;
    c.strokeStyle = style.getPropertyValue('--line');
    c.beginPath();
    for (const v of [low, (low + high) / 2, high]) (c.moveTo(left, y(v)), c.lineTo(wide - left, y(v)));
    c.stroke();
    c.strokeStyle = style.getPropertyValue('--accent');
    c.lineWidth = 1.5;
    c.lineJoin = 'round';
    c.beginPath();
    values.forEach((v, k) => typeof v === 'number' && c.lineTo(x(times[k]), y(v)));
    c.stroke();
    c.fillStyle = style.getPropertyValue('--soft');
    c.font = `${size}px system-ui, sans-serif`;
    c.fillText(high > low ? `${short(low)} to ${short(high)}` : `constant, ${short(low)}`, left, tall - 5);
    c.textAlign = 'right';
    c.fillText(`${short(end)} s`, wide - left, tall - 5);
    c.globalAlpha = 0.6;
    c.fillRect(x(Math.min(now, end)), 3, 1, base);
    c.globalAlpha = 1;
    if (at >= 0) {
      c.beginPath();
      c.arc(x(Math.min(now, end)), y(values[at]), 3, 0, 7);
      c.fillStyle = style.getPropertyValue('--accent');
      c.fill();
    }
    const value = at >= 0 ? short(values[at]) : '';
    canvas.previousSibling.lastChild.textContent = value;
    canvas.setAttribute('aria-label', `${name}: ${short(low)} to ${short(high)}, now ${value}`);
  }
}
