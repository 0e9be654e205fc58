// Plots of the statistics and probes of the present take over time.

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
      title.textContent = one.unit ? `${one.name} [${one.unit}]` : one.name;
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
    const numbers = values.filter((v) => typeof v === 'number'), low = Math.min(...numbers), high = Math.max(...numbers);
    const end = times.at(-1) || 1, x = (t) => 4 + ((wide - 8) * t) / end, y = (v) => tall - 16 - (tall - 22) * (high > low ? (v - low) / (high - low) : 0.5);
    c.scale(scale, scale);
    c.strokeStyle = style.getPropertyValue('--accent');
    c.lineWidth = 1.5;
    c.beginPath();
    values.forEach((v, k) => typeof v === 'number' && c.lineTo(x(times[k]), y(v)));
    c.stroke();
    c.fillStyle = style.getPropertyValue('--soft');
    c.font = '10px system-ui, sans-serif';
    c.fillText(`${low.toPrecision(3)} to ${high.toPrecision(3)}`, 5, tall - 4);
    c.fillText(`${end.toPrecision(3)} s`, wide - 44, tall - 4);
    c.globalAlpha = 0.5;
    c.fillRect(x(Math.min(now, end)), 2, 1, tall - 18);
    canvas.setAttribute('aria-label', `${name}: ${low.toPrecision(3)} to ${high.toPrecision(3)}, now ${numbers.at(-1)?.toPrecision(3)}`);
  }
}
