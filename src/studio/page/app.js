// The page: what is shown follows the state that the program sends; what the user does becomes a command.

import { at, command, followFrames, followState, frameOf, pathOf, prettyUnit, propsOf, surfaceOf, toml } from './client.js';
import { ask, tell } from './dialogs.js';
import { showGallery } from './gallery.js';
import { Inspector } from './inspector.js';
import { Plots } from './plots.js';
import { Timeline } from './timeline.js';
import { groupsOf, isCurve, valueAt } from './tracks.js';
import { Viewport } from './viewport.js';

const $ = (id) => document.getElementById(id);
let state = {}, scene = null, inspector = null, declarations = null, sceneKey = '', frame = null, galleryWanted = false;
const viewport = new Viewport($('canvas')), plots = new Plots($('plots'));

async function run(line) {
  const answer = await command(line);
  if (!answer.ok) tellMistakes(answer);
  else if (answer.frames_removed > 0)
    tell(answer.frames_left ? `Frames 0 to ${answer.frames_left - 1} stay; play goes on from there.` : 'The change acts from the start: all frames are made anew.');
  return answer;
}
const together = (edits) => run(edits.length === 1 ? edits[0] : `together ${JSON.stringify(edits)}`);

/// What is wrong, with its line; a click shows it in the text.
function tellMistakes({ mistakes, error }) {
  const lines = mistakes?.map((one) => (one.line ? `line ${one.line}: ${one.message}` : one.message)).join('\n') || error;
  const line = mistakes?.find((one) => one.line)?.line;
  tell(lines, 'bad', 14, line ? () => showLine(line) : null);
}
function showLine(number) {
  openPanel('source');
  const box = $('text'), lines = box.value.split('\n'), begin = lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0);
  box.focus();
  box.setSelectionRange(begin, begin + (lines[number - 1] ?? '').length);
  box.scrollTop = (number - 4) * parseFloat(getComputedStyle(box).lineHeight);
}

const rounded = (x) => (Array.isArray(x) ? x.map(rounded) : typeof x === 'number' ? Number(x.toPrecision(6)) : x);
const timeline = new Timeline($('timeline'), {
  show: (number) => (stopPlayback(), show(number)),
  select: (words) => openPanel('inspector') || inspector?.select(words),
  hint: (text) => (($('hint').hidden = !text), ($('hint').textContent = text)),
  moveKey: (path, number, time) => run(`move_key ${path} ${number} ${time}`),
  setKey: (path, number, value) => run(`set ${path}.value.${number} = ${value}`),
  removeKey: (path, number) => run(`remove_key ${path} ${number}`),
  addKey: ({ words, curve, constant, over }, time) =>
    over ? tell('This weight runs over an attribute of the particles; Settings can make it run over time.')
         : run(`key ${pathOf(words)} ${time} = ${toml(rounded(curve ? valueAt(curve, time) : constant ?? 1))}`),
  moveClip: ({ words, clips }, number, from, fade) => {
    // Times that are written in frames stay in frames.
    const edits = Object.entries({ from, fade }).filter(([name, value]) => Math.abs(value - (clips[number][name] ?? 0)) > 1e-9).map(([name, value]) => {
      const path = [...words, String(number), name], inFrames = /frames$/.test(at(scene.written, path) ?? '');
      return `set ${pathOf(path)} = ${inFrames ? toml(`${rounded(value * state.frames_per_second)} frames`) : rounded(value)}`;
    });
    if (edits.length) together(edits);
  },
  removeClip: ({ words }, number) => run(`remove ${pathOf([...words, String(number)])}`),
  addClip: ({ words, clips }, time) => {
    const names = Object.keys(scene.effective.materials ?? {}), later = clips.findIndex((one, k) => k && (one.from ?? 0) > time);
    const before = clips.at(later < 0 ? -1 : later - 1).material, other = names[(names.indexOf(before) + 1) % names.length];
    if (names.length < 2 || clips.some((one) => one.weight)) return tell('Another material is needed first: add one in Settings.');
    const place = later < 0 ? words : [...words, String(later)];
    run(`add ${pathOf(place)} = ${toml({ material: other, from: time, fade: rounded(2 / state.frames_per_second) })}`);
  },
});

// What is shown of time. Frames that are there are played by the page, new ones by the program.
const shownFrame = () => state.shown ?? (frame?.header.take === state.take ? Math.min(frame.header.frame, Math.max(0, state.last_frame)) : Math.max(0, state.last_frame ?? 0));
let playback = null;
let asked = null, asking = false;
async function show(number) {
  // While one request is under way only the newest of the others is kept.
  asked = number;
  if (asking) return;
  asking = true;
  while (asked !== null) {
    const next = asked;
    asked = null;
    await run(next === 'newest' ? 'show newest' : `show ${next}`);
  }
  asking = false;
}
function stopPlayback() {
  clearInterval(playback);
  playback = null;
  drawPlaying();
}
function playOrPause() {
  if (playback) return stopPlayback();
  if (state.playing) return run('pause');
  const atEnd = state.shown === null || state.shown >= state.last_frame;
  if (atEnd && state.last_frame < state.frames) return run('play');
  let at = atEnd ? -1 : state.shown;
  playback = setInterval(() => {
    if (++at <= state.last_frame) return show(at);
    stopPlayback();
    if (state.last_frame < state.frames) run('play');
  }, 1000 / Math.min(60, state.frames_per_second));
  drawPlaying();
}
function stepFrame(by) {
  stopPlayback();
  const next = shownFrame() + by;
  if (next > state.last_frame) return run('step');
  if (next >= 0) show(next);
}

function drawPlaying() {
  const on = state.playing || playback !== null;
  $('play').querySelector('path').setAttribute('d', on ? 'M4 3h2v10H4zM10 3h2v10h-2z' : 'M4 2l10 6-10 6z');
  $('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
}

function options(list, values, chosen, labels = values) {
  const key = JSON.stringify([values, labels]);
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...values.map((value, k) => new Option(labels[k], value)));
  }
  list.value = chosen;
}

async function useState(next) {
  const before = state;
  state = next;
  const studio = state.open && !galleryWanted;
  $('studio').hidden = !studio;
  $('start').hidden = studio;
  if (!studio) return before.open === undefined || !$('gallery').children.length ? showGallery(openScene) : undefined;
  drawPlaying();
  $('scene-name').textContent = state.scene;
  $('changed').hidden = !state.changed;
  $('undo').disabled = !state.can_undo;
  $('redo').disabled = !state.can_redo;
  const names = state.takes.map((one) => one.name);
  const labels = state.takes.map((one) => (one.parent ? `${one.name} (from ${one.branched_at} of ${one.parent})` : one.name));
  options($('take'), names, state.take, labels);
  const others = names.filter((name) => name !== state.take);
  options($('beside'), ['', ...others], others.includes($('beside').value) ? $('beside').value : '', ['–', ...others]);
  timeline.setState(state, shownFrame());
  if (state.message && state.message !== before.message) tell(state.message, 'bad', 30);
  for (const note of state.notes ?? []) if (!(before.notes ?? []).includes(note)) tell(note, '', 10);
  drawPictures(state.renderings);
  drawStatus();
  drawSurfaces();
  const key = [state.scene, state.take, state.edits].join();
  if (key !== sceneKey) {
    sceneKey = key;
    await loadScene();
  }
}

/// How many frames are computed per second, over the last seconds.
const computed = [];
function rate() {
  if (!state.playing) return computed.splice(0), '';
  computed.push([performance.now(), state.last_frame]);
  while (computed.length > 2 && computed.at(-1)[0] - computed[0][0] > 4000) computed.shift();
  const seconds = (computed.at(-1)[0] - computed[0][0]) / 1000, frames = computed.at(-1)[1] - computed[0][1];
  return seconds > 0.5 && frames > 0 ? `computing, ${Number((frames / seconds).toPrecision(2))} frames/s` : 'computing';
}
function drawStatus() {
  const parts = [
    `frame ${shownFrame()} of ${state.frames}`, `computed to ${Math.max(0, state.last_frame)}`,
    state.particles !== undefined && `${state.particles.toLocaleString('en')} particles`,
    state.step_size && `step ${state.step_size.toPrecision(2)} s`,
    state.limited_by && `limited by ${state.limited_by} of ${state.limiting_object}`,
    rate(),
  ];
  $('status').textContent = parts.filter(Boolean).join('   ·   ');
}

async function loadScene() {
  const answer = await command('scene');
  if (!answer.ok) return;
  const other = scene?.name !== answer.name || !viewport.camera;
  scene = answer;
  declarations ??= await command('declarations');
  inspector ??= new Inspector($('inspector'), declarations, run);
  inspector.setScene(scene);
  timeline.setGroups(groupsOf(scene, inspector.behaviours));
  if (document.activeElement !== $('text')) setText(scene.text);
  $('canvas').dataset.scene = scene.name;
  viewport.stay();
  const props = await propsOf(state.take);
  viewport.showProps(props);
  $('canvas').dataset.props = props?.list.length ?? 0;
  if (!other) return;
  viewport.frameAll();
  lookThroughCamera(false);
}

/// The view of the finished pictures, where the scene gives one.
function lookThroughCamera(asked = true) {
  const { eye, target, field_of_view: angle = 35 } = scene?.effective.picture ?? {}, now = (value) => (isCurve(value) ? valueAt(value, frame?.header.time ?? 0) : value);
  if (Array.isArray(now(eye)) && Array.isArray(now(target))) viewport.look(now(eye), now(target), now(angle));
  else if (asked) tell('This scene leaves the camera to the program. "Set camera" makes this view its camera.');
}
function setCamera() {
  if (!viewport.camera || viewport.camera.flat) return tell('Pictures of flat scenes show all of them.');
  const picture = (name, value) => `set ${pathOf(['picture', name])} = ${toml(rounded(value))}`, near = (x) => x.map((v) => Number(v.toPrecision(4)));
  together([picture('eye', near(viewport.eye)), picture('target', near(viewport.camera.target)), picture('field_of_view', Number(((viewport.camera.angle * 180) / Math.PI).toFixed(1)))])
    .then((answer) => answer.ok && tell('Finished pictures are drawn from this view.', 'good'));
}

async function useFrame(next) {
  if (!state.open) return;
  frame = next;
  const { header } = frame, beside = $('beside').value;
  viewport.show(frame);
  const other = beside ? await frameOf(beside, header.frame) : null;
  viewport.show(other, 1);
  surfaceAsked = ['', ''];
  $('canvas').dataset.frame = header.frame;
  $('canvas').dataset.time = header.time;
  $('canvas').dataset.take = header.take;
  $('canvas').dataset.beside = other?.header.take ?? '';
  options($('colour'), header.columns, header.colour_by, header.columns.map((name) => name.replaceAll('_', ' ')));
  const caption = (one) => `${other ? `${one.take}   ` : ''}t = ${one.time.toFixed(3)} s`;
  $('caption').textContent = caption(header);
  $('caption-beside').hidden = !other;
  if (other) $('caption-beside').textContent = caption(other.header);
  $('view').classList.toggle('two', Boolean(other));
  drawLegend(header.legend);
  timeline.setState(state, shownFrame());
  drawStatus();
  drawSurfaces();
  if (!$('plots').hidden) drawPlots();
}

/// Surfaces of the shown frames, when nothing moves and they are wanted.
let surfaceAsked = ['', ''];
function drawSurfaces() {
  viewport.shown.forEach((slot, place) => slot?.frame && drawSurfaceAt(place, slot.frame.header));
}
async function drawSurfaceAt(place, { take, frame: number }) {
  if (!state.open) return;
  const wanted = $('surface').checked && !state.playing && !playback;
  const key = wanted ? `${take} ${number} ${state.edits}` : '';
  if (key === surfaceAsked[place]) return;
  surfaceAsked[place] = key;
  if (!wanted) return viewport.showSurface(null, place);
  $('view').classList.add('working');
  const surface = await surfaceOf(take, number);
  $('view').classList.remove('working');
  if (surfaceAsked[place] !== key) return;
  if (!surface) return tell('This frame has no surfaces to show.');
  viewport.showSurface(surface, place);
  $('canvas').dataset[place ? 'surfaceBeside' : 'surface'] = key;
}

function drawLegend(legend) {
  $('legend').hidden = !legend;
  if (!legend) return;
  const [title, canvas, high, low] = $('legend').children, c = canvas.getContext('2d'), fill = c.createLinearGradient(0, 120, 0, 0);
  legend.colours.forEach((rgb, k) => fill.addColorStop(k / (legend.colours.length - 1), `rgb(${rgb})`));
  c.fillStyle = fill;
  c.fillRect(0, 0, 16, 120);
  const unit = prettyUnit(legend.unit ?? '', frame.header.dimension), name = legend.title.replaceAll('_', ' ');
  title.textContent = unit ? `${name} [${unit}]` : name;
  high.textContent = Number(legend.max.toPrecision(3));
  low.textContent = Number(legend.min.toPrecision(3));
}

let plotted = 0;
async function drawPlots() {
  if (Date.now() - plotted < 700) return;
  plotted = Date.now();
  const tables = await command('statistics');
  if (tables.ok) plots.show(tables, frame?.header.time ?? 0);
}

let picturesKey = '';
function drawPictures(list) {
  const key = JSON.stringify(list);
  if (key === picturesKey) return;
  picturesKey = key;
  $('pictures').replaceChildren(...list.map((one, k) => {
    const box = document.createElement('figure'), caption = document.createElement('figcaption');
    caption.textContent = `${one.take}, ${one.what}: ${one.outcome || 'being drawn…'}`;
    box.append(caption);
    if (one.outcome === 'done') {
      const shown = document.createElement(one.what === 'video' ? 'video' : 'img');
      shown.src = `rendered?number=${k}`;
      shown.controls = true;
      shown.alt = caption.textContent;
      box.append(shown);
    }
    return box;
  }));
  if (!list.length) $('pictures').textContent = 'Picture and Video draw finished pictures in the background; they appear here.';
}

function openPanel(name) {
  for (const tab of document.querySelectorAll('#side [role="tab"]')) {
    tab.setAttribute('aria-selected', tab.dataset.panel === name);
    $(tab.dataset.panel).hidden = tab.dataset.panel !== name;
  }
  if (name === 'plots') drawPlots();
}

// The text, with the numbers of its lines.
function setText(text) {
  $('text').value = text;
  drawGutter();
}
function drawGutter() {
  const lines = $('text').value.split('\n').length;
  if ($('gutter').childElementCount || $('gutter').dataset.lines !== String(lines)) {
    $('gutter').dataset.lines = lines;
    $('gutter').textContent = Array.from({ length: lines }, (_, k) => k + 1).join('\n');
  }
  $('gutter').scrollTop = $('text').scrollTop;
}
$('text').addEventListener('input', drawGutter);
$('text').addEventListener('scroll', drawGutter);
$('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.ctrlKey) clicks.apply();
});

// The start page.
async function openScene(name) {
  const opened = await command(`open ${name}${$('preview').checked ? ' preview' : ''}`);
  if (!opened.ok) return alert(opened.error);
  await enter();
  run('play');
}
async function enter() {
  galleryWanted = false;
  sceneKey = '';
  viewport.camera = null;
  $('beside').value = '';
  await useState(state.open ? state : { ...state });
}
$('new-scene').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await command(`new ${$('new-name').value} like ${$('new-like').value}`);
  if (answer.ok) enter();
  else alert(answer.error);
});

// The tools.
async function save() {
  const answer = await command('save');
  if (answer.ok) return tell(`Saved as ${answer.file}.`, 'good');
  const name = await ask('The gallery is only read. Save in your folder as', `${state.scene}.toml`);
  if (name && (await run(`save ${name}`)).ok) tell(`Saved as ${name}.`, 'good');
}
const clicks = {
  play: playOrPause, back: () => stepFrame(-1), forward: () => stepFrame(1),
  'to-start': () => (stopPlayback(), show(0)), newest: () => (stopPlayback(), show('newest')),
  rewind: () => run(`rewind ${shownFrame()}`).then((answer) => answer.ok && run('play')),
  branch: async () => {
    const answer = await run(`branch ${shownFrame()}`);
    if (answer.ok) tell(`${answer.take} goes on from frame ${shownFrame()}: change something and play.`, 'good');
  },
  undo: () => run('undo'), redo: () => run('redo'), save,
  render: () => run(`render ${shownFrame()}`).then((answer) => answer.ok && openPanel('pictures')),
  video: () => run('render').then((answer) => answer.ok && openPanel('pictures')),
  home: () => ((galleryWanted = true), run('pause'), useState(state), showGallery(openScene)),
  apply: () => run(`text ${JSON.stringify($('text').value)}`).then((answer) => answer.ok && tell('Applied.', 'good')),
  'view-all': () => viewport.frameAll(), 'view-camera': () => lookThroughCamera(), 'set-camera': setCamera,
  'help-button': () => $('help').showModal(),
};
for (const [id, action] of Object.entries(clicks)) $(id).addEventListener('click', action);
$('take').addEventListener('change', () => run(`take ${$('take').value}`));
$('surface').addEventListener('change', drawSurfaces);
$('beside').addEventListener('change', () => frame && useFrame(frame));
$('colour').addEventListener('change', () => run(`colour ${$('colour').value}`));
for (const tab of document.querySelectorAll('#side [role="tab"]')) tab.addEventListener('click', () => openPanel(tab.dataset.panel));

window.addEventListener('keydown', (event) => {
  if ($('studio').hidden || document.querySelector('dialog[open]')) return;
  const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const control = event.ctrlKey || event.metaKey;
  const actions = {
    ' ': playOrPause, ArrowLeft: clicks.back, ArrowRight: clicks.forward, Home: clicks['to-start'], End: clicks.newest,
    f: clicks['view-all'], F: clicks['view-all'], c: clicks['view-camera'], C: clicks['view-camera'], '?': clicks['help-button'], Escape: () => ($('picked').hidden = true),
  };
  let action = null;
  if (control && event.key.toLowerCase() === 's') action = save;
  else if (writing) return;
  else if (control && event.key.toLowerCase() === 'z') action = event.shiftKey ? clicks.redo : clicks.undo;
  else if (control && event.key.toLowerCase() === 'y') action = clicks.redo;
  else if (!control && !(event.key === ' ' && event.target.tagName === 'BUTTON')) action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

viewport.onPick = async (point, prop, place) => {
  const box = $('picked');
  box.hidden = !point;
  if (prop) openPanel('inspector'), inspector?.select([prop.section, prop.name]);
  // The second place shows another take, of whose particles nothing more is known here.
  if (!point || place > 0) return (box.hidden = true);
  const answer = await command(`particle ${point.join(' ')}`);
  if (!answer.ok) return;
  const table = document.createElement('table'), owner = document.createElement('button');
  owner.textContent = answer.object;
  owner.title = 'Settings of this object';
  owner.addEventListener('click', () => (openPanel('inspector'), inspector?.select(['objects', answer.object])));
  const number = (v) => (typeof v === 'number' ? Number(v.toPrecision(4)) : v);
  for (const { name, unit, values } of answer.columns) {
    const line = table.insertRow();
    for (const text of [name.replaceAll('_', ' '), values.slice(0, 3).map(number).join(', ') + (values.length > 3 ? ', …' : ''), prettyUnit(unit, frame.header.dimension)])
      line.insertCell().textContent = text;
  }
  box.replaceChildren(owner, table);
};
/// Moves an object or a prop by a vector: its shape is translated, the opening of a jet gets another centre.
viewport.onMove = async (object, prop, by) => {
  const words = prop ? [prop.section, prop.name] : ['objects', scene?.effective.objects?.[object]?.name], node = words[1] && at(scene.effective, words);
  const sum = (before) => before.map((x, a) => Number((x + (by[a] ?? 0)).toPrecision(4)));
  let answer = null;
  if (node?.shape) answer = await run(`set ${pathOf([...words, 'shape', 'translate'])} = ${toml(sum(node.shape.translate ?? [0, 0, 0]))}`);
  else if (Array.isArray(node?.centre)) answer = await run(`set ${pathOf([...words, 'centre'])} = ${toml(sum(node.centre))}`);
  else tell('Only what has a shape, or a centre that is not keyframed, can be moved.');
  if (!answer?.ok) viewport.stay();
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => viewport.request());
if (!viewport.gl) tell('This browser has no WebGL2, so particles cannot be drawn.', 'bad', 60);

let wasLost = false;
followState(useState, (lost) => {
  if (lost && !wasLost) tell('The program does not answer. The page connects again when it does.', 'bad', 20);
  wasLost = lost;
});
followFrames(useFrame);
