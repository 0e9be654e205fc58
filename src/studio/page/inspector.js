// The inspector: fields for everything that a scene can say, generated from the declarations of the program. Bold names
// are written in the scene; the others have their default.

import { at, pathOf, prettyUnit, toml } from './client.js';
import { ask } from './dialogs.js';

const make = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    name in made && name !== 'list' ? (made[name] = value) : made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const button = (text, properties, action) => {
  const made = make('button', properties, text);
  made.addEventListener('click', action);
  return made;
};
const isCurve = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const plain = (name) => name.replaceAll('_', ' ');

/// What a new element of a list begins with.
const begun = {
  objects: (name, scene) => ({ name, material: Object.keys(scene.materials ?? {})[0] ?? 'water', shape: { type: 'sphere', radius: 10 * (scene.scene?.spacing ?? 0.02) } }),
  emitters: (name, scene) => ({ name, material: Object.keys(scene.materials ?? {})[0] ?? 'water', centre: [0, 0, 1], radius: 4 * (scene.scene?.spacing ?? 0.02) }),
  colliders: (name) => ({ name, shape: { type: 'plane' } }),
  probes: (name) => ({ name, kind: 'height' }),
};

export class Inspector {
  /// run(line) carries out a command.
  constructor(place, declarations, run) {
    Object.assign(this, { place, declarations, run, selected: ['scene'] });
    this.behaviours = new Map(declarations.behaviours.map((one) => [one.name, one]));
    this.shapes = new Map(declarations.shapes.map((one) => [one.name, one]));
  }

  setScene(scene) {
    this.scene = scene;
    if (this.selected.length > 1 && at(scene.effective, this.selected) === undefined) this.selected = ['scene'];
    // A field that is being edited stays.
    const focus = document.activeElement?.closest('#inspector') ? document.activeElement.id : '';
    this.draw();
    if (focus) document.getElementById(focus)?.focus();
  }

  select(words) {
    this.selected = words.slice(0, this.declarations.sections.find((s) => s.name === words[0])?.list || words[0] === 'materials' ? 2 : 1);
    this.draw();
  }

  unit(parameter) {
    return prettyUnit(parameter.unit ?? '', this.scene.effective?.scene?.dimension);
  }

  /// Paths of what a section has.
  items(section) {
    const node = this.scene.effective?.[section.name];
    if (section.named) return Object.keys(node ?? {}).map((name) => [section.name, name]);
    if (section.list) return (node ?? []).map((one, k) => [section.name, one.name ?? String(k)]);
    return [[section.name]];
  }

  /// All parts of the scene, to choose from.
  outline() {
    const chip = (words, text) => {
      const chosen = pathOf(words) === pathOf(this.selected);
      return button(text, { className: 'chip', 'aria-current': chosen, 'data-path': pathOf(words) }, () => this.choose(words));
    };
    const row = (label, ...chips) => make('div', { className: 'outline-row' }, make('span', {}, label), make('div', {}, ...chips));
    const several = this.declarations.sections.filter((s) => s.list || s.named), there = several.filter((s) => this.items(s).length);
    const more = make('select', { className: 'chip', ariaLabel: 'Add to the scene' }, new Option('+ add', ''));
    for (const section of several) more.append(new Option(`to ${plain(section.name)}`, section.name));
    more.addEventListener('change', () => this.add(more.value));
    return make('nav', { className: 'outline', ariaLabel: 'Parts of the scene' },
                row('scene', ...this.declarations.sections.filter((s) => !s.list && !s.named).map((s) => chip([s.name], s.name))),
                ...there.map((s) => row(plain(s.name), ...this.items(s).map((words) => chip(words, words[1])),
                                        button('+', { className: 'chip add', title: `Add to ${plain(s.name)}`, ariaLabel: `Add to ${plain(s.name)}` }, () => this.add(s.name)))),
                row('', more));
  }

  choose(words) {
    this.selected = words;
    this.place.scrollTop = 0;
    this.draw();
    this.place.querySelector('.chip[aria-current="true"]')?.focus();
  }

  draw() {
    const { place } = this, scroll = place.scrollTop;
    const section = this.declarations.sections.find((one) => one.name === this.selected[0]);
    const node = at(this.scene.effective, this.selected) ?? {};
    const head = make('h2', {}, this.selected.at(-1), make('small', {}, this.selected.length > 1 ? plain(section.name) : ''));
    place.replaceChildren(this.outline(), head, make('p', {}, section.help));
    for (const parameter of section.parameters) place.append(this.field(parameter, [...this.selected, parameter.name]));
    for (const part of section.parts) place.append(this.part(part, [...this.selected, part.name]));
    if (typeof node.material === 'string') this.drawFade(node);
    if (section.behaviours) this.drawBehaviours(node);
    if (section.list || section.named)
      place.append(make('h3'), button(`Remove ${this.selected[1]}`, {}, () => this.run(`remove ${pathOf(this.selected)}`)));
    place.scrollTop = scroll;
  }

  async add(section) {
    this.draw();
    const name = section && (await ask(`Name of the new element of ${plain(section)}`));
    if (!name) return;
    this.selected = [section, name];
    if (section === 'materials') return this.run(`set ${pathOf([section, name, 'gravity'])} = {}`);
    const table = begun[section]?.(name, this.scene.effective) ?? { name, shape: { type: 'sphere', radius: 0.1 } };
    this.run(`add ${section} = ${toml(table)}`);
  }

  /// One material, which can become the first of several that follow each other.
  drawFade(node) {
    const others = Object.keys(this.scene.effective.materials ?? {}).filter((name) => name !== node.material);
    if (!others.length || at(this.scene.written, [...this.selected, 'material']) === undefined) return;
    const list = make('select', { ariaLabel: 'Fade into another material' }, new Option('fade into another material…', ''), ...others.map((name) => new Option(name, name)));
    list.addEventListener('change', () => {
      const half = Number(((this.scene.effective.time?.duration ?? 1) / 2).toPrecision(3));
      const clips = [{ material: node.material }, { material: list.value, from: half, fade: Number((half / 10).toPrecision(2)) }];
      this.run(`together ${JSON.stringify([`remove ${pathOf([...this.selected, 'material'])}`, `set ${pathOf([...this.selected, 'materials'])} = ${toml(clips)}`])}`);
    });
    this.place.append(make('div', { className: 'field' }, make('span'), list));
  }

  /// Materials that follow each other in time.
  clips(list, words) {
    const path = pathOf(words), box = make('div', { className: 'clips' }, make('h3', {}, 'materials', make('small', {}, 'one after the other')));
    const names = Object.keys(this.scene.effective.materials ?? {});
    list.forEach((clip, k) => {
      const what = make('select', { ariaLabel: `Material ${k + 1}` }, ...names.map((name) => new Option(name, name, false, name === clip.material)));
      what.addEventListener('change', () => this.run(`set ${path}.${k}.material = ${toml(what.value)}`));
      const time = (name, help) => {
        const written = at(this.scene.written, [...words, String(k), name]);
        const field = make('input', { value: written ?? '', placeholder: '0', title: help, ariaLabel: `${name} of ${clip.material}: ${help}`, disabled: k === 0 || Boolean(clip.weight) });
        field.addEventListener('change', () => this.run(`set ${path}.${k}.${name} = ${/^[\d.e+-]+$/.test(field.value) ? field.value : toml(field.value)}`));
        return field;
      };
      box.append(make('div', { className: 'clip-fields' }, what, time('from', 'when it begins [s], or "12 frames"'), time('fade', 'how long it fades in [s]'),
                      button('×', { ariaLabel: `Remove ${clip.material}`, disabled: list.length < 2 }, () => this.run(`remove ${path}.${k}`))));
    });
    return box;
  }

  drawBehaviours(node) {
    const { place } = this;
    for (const [name, behaviour] of this.behaviours) {
      if (!(name in node)) continue;
      const words = [...this.selected, name], written = at(this.scene.written, words) !== undefined;
      const remove = button('×', { title: `Remove ${name}`, ariaLabel: `Remove ${name}`, hidden: !written }, () => this.run(`remove ${pathOf(words)}`));
      place.append(make('h3', { title: behaviour.help }, plain(name), remove), make('p', {}, behaviour.help));
      const tracks = Array.isArray(node[name]) ? node[name].map((one, k) => [...words, String(k)]) : [words];
      for (const track of tracks)
        for (const parameter of behaviour.parameters) place.append(this.field(parameter, [...track, parameter.name]));
    }
    const add = make('select', { ariaLabel: 'Add a behaviour' }, new Option('+ add a behaviour', ''));
    for (const name of this.behaviours.keys()) if (!(name in node)) add.append(new Option(plain(name), name));
    add.addEventListener('change', () => this.run(`set ${pathOf([...this.selected, add.value])} = {}`));
    place.append(make('h3'), add);
  }

  /// A shape has fields of its own; lists are shown as they are written.
  part(part, words) {
    const node = at(this.scene.effective, words), box = make('div');
    if (part.name === 'materials') return Array.isArray(node) ? this.clips(node, words) : box;
    if (part.form !== 'a shape' || !node?.type) {
      if (part.form === 'a shape') return box;
      const declaration = { name: part.name, kind: 'list', unit: '', keys: 'none', help: `${part.help} (${part.form})` };
      return this.field(declaration, words);
    }
    const shape = this.shapes.get(node.type);
    const kind = make('select', { ariaLabel: 'Kind of shape' });
    for (const name of this.shapes.keys()) kind.append(new Option(name, name, false, name === node.type));
    kind.addEventListener('change', () => this.run(`set ${pathOf([...words, 'type'])} = ${toml(kind.value)}`));
    box.append(make('h3', { title: shape?.help ?? '' }, part.name, kind));
    for (const parameter of [...(shape?.parameters ?? []), ...this.declarations.placement])
      box.append(this.field(parameter, [...words, parameter.name]));
    return box;
  }

  field(parameter, words) {
    const path = pathOf(words), value = at(this.scene.effective, words) ?? at(this.scene.written, words) ?? parameter.default;
    const written = at(this.scene.written, words) !== undefined;
    const id = `field-${path.replace(/[^\w]/g, '-')}`;
    const help = [parameter.help, parameter.range && `(${parameter.range})`, parameter.unit && `[${parameter.unit}]`].filter(Boolean).join(' ');
    const row = make('div', { className: written ? 'field written' : 'field', title: help });
    row.append(make('label', { htmlFor: id }, parameter.name.replaceAll('_', ' ')));
    const send = (one) => (one === '' ? written && this.run(`remove ${path}`) : this.run(`set ${path} = ${one}`));
    if (isCurve(value)) {
      row.append(this.curveHead(parameter, value, path), this.drivers(parameter, value, path), this.keys(value, path));
      return row;
    }
    row.append(this.control(parameter, value, id, send, help));
    const side = parameter.keys === 'none' ? make('span', { className: 'unit' }, this.unit(parameter)) : this.drivers(parameter, value, path);
    row.append(side);
    return row;
  }

  control(parameter, value, id, send, help) {
    const labelled = { id, ariaLabel: `${parameter.name}. ${help}` };
    if (parameter.kind === 'boolean') {
      const box = make('input', { ...labelled, type: 'checkbox', checked: value === true });
      box.addEventListener('change', () => send(String(box.checked)));
      return box;
    }
    if (parameter.kind === 'choice') {
      const list = make('select', labelled);
      if (value === undefined) list.append(new Option('', ''));
      for (const choice of parameter.choices) list.append(new Option(choice, choice, false, choice === value));
      list.addEventListener('change', () => send(toml(list.value)));
      return list;
    }
    if (parameter.kind === 'vector' && Array.isArray(value)) {
      const three = make('div', { className: 'three' });
      const fields = value.map((one, k) => {
        const field = make('input', { ...labelled, id: k ? `${id}-${k}` : id, value: one, inputMode: 'decimal', ariaLabel: `${parameter.name} ${'xyz'[k]}. ${help}` });
        field.addEventListener('change', () => send(`[${fields.map((f) => f.value || 0).join(', ')}]`));
        return field;
      });
      three.append(...fields);
      return three;
    }
    const plain = ['number', 'integer', 'vector', 'list'].includes(parameter.kind);
    const shown = value === undefined ? '' : plain && typeof value !== 'string' ? toml(value) : value;
    const field = make('input', { ...labelled, value: shown, placeholder: parameter.required ? 'required' : 'default' });
    field.addEventListener('change', () => {
      const text = field.value.trim(), bare = plain && /^[[\d.+-]/.test(text) && !/[a-zA-Z]{2}|[a-df-zA-DF-Z%]/.test(text);
      send(text === '' || bare ? text : toml(text));
    });
    return field;
  }

  /// Constant, over time, or over an attribute of the particles.
  drivers(parameter, value, path) {
    const now = !isCurve(value) ? 'constant' : value.over ?? 'time';
    const list = make('select', { className: 'kind', ariaLabel: `What drives ${parameter.name}`, title: parameter.unit });
    const known = { time: ['time'], attribute: ['time', ...this.declarations.columns], place: ['x', 'y', 'z'] }[parameter.keys] ?? [];
    for (const name of new Set(['constant', ...known, now])) list.append(new Option(name === 'constant' ? this.unit(parameter) || 'const' : `~ ${name}`, name, false, name === now));
    list.addEventListener('change', () => {
      const one = isCurve(value) ? value.value[0] : value ?? (parameter.kind === 'vector' ? [0, 0, 0] : 0);
      const keys = isCurve(value) ? value.time ?? value.at : [0, 1], values = isCurve(value) ? value.value : [one, one];
      const curve = list.value === 'time' ? { time: keys, value: values } : { over: list.value, at: keys, value: values };
      this.run(`set ${path} = ${toml(list.value === 'constant' ? one : curve)}`);
    });
    return list;
  }

  curveHead(parameter, value, path) {
    const list = make('select', { ariaLabel: `Interpolation of ${parameter.name}` });
    for (const name of this.declarations.interpolations) list.append(new Option(name, name, false, name === value.interpolation));
    list.addEventListener('change', () => this.run(`set ${path}.interpolation = ${toml(list.value)}`));
    return list;
  }

  keys(curve, path) {
    const box = make('div', { className: 'keys' }), times = curve.time ?? curve.at, over = curve.time ? 'time' : 'at';
    box.append(make('span', {}, curve.time ? 'at [s]' : curve.over), make('span', {}, 'value'), make('span'));
    times.forEach((time, k) => {
      const when = make('input', { value: time, ariaLabel: `${over} of key ${k + 1}` });
      when.addEventListener('change', () => this.run(curve.time ? `move_key ${path} ${k} ${when.value}` : `set ${path}.at.${k} = ${when.value}`));
      const what = make('input', { value: toml(curve.value[k]), ariaLabel: `value of key ${k + 1}` });
      what.addEventListener('change', () => this.run(`set ${path}.value.${k} = ${what.value}`));
      const remove = make('button', { ariaLabel: `Remove key ${k + 1}`, disabled: !curve.time }, '×');
      remove.addEventListener('click', () => this.run(`remove_key ${path} ${k}`));
      box.append(when, what, remove);
    });
    return box;
  }
}
