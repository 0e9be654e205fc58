// The page: what is shown follows the state that the program sends; what the user does becomes a command.

import { command, followFrames, followState, frameOf, pathOf, surfaceOf, toml } from './client.js';
import { Inspector } from './inspector.js';
import { Plots } from './plots.js';
import { Timeline, tracksOf } from './timeline.js';
import { Viewport } from './viewport.js';

const $ = (id) => document.getElementById(id);
let state = {}, scene = null, inspector = null, declarations = null, sceneKey = '', frame = null, galleryWanted = false;
const viewport = new Viewport($('canvas')), plots = new Plots($('plots'));

function tell(text, kind = '', seconds = 8) {
  const box = document.createElement('div');
  box.className = kind;
  box.textContent = text;
  $('messages').append(box);
  while ($('messages').children.length > 4) $('messages').firstChild.remove();
  setTimeout(() => box.remove(), 1000 * seconds);
}

async function run(line) {
  const answer = await command(line);
  if (!answer.ok)
    tell(answer.mistakes?.map((one) => (one.line ? `line ${one.line}: ${one.message}` : one.message)).join('\n') || answer.error, 'bad', 14);
  else if (answer.frames_removed > 0)
    tell(answer.frames_left ? `Frames 0 to ${answer.frames_left - 1} stay; play goes on from there.` : 'The change acts from the start: all frames are made anew.');
  return answer;
}

const timeline = new Timeline($('timeline'), {
  show: (number) => show(number),
  select: (words) => openPanel('inspector') || inspector?.select(words),
  moveKey: (path, number, time) => run(`move_key ${path} ${number} ${time}`),
  removeKey: (path, number) => run(`remove_key ${path} ${number}`),
  addKey: (track, time) => run(`key ${pathOf(track.words)} ${time} = ${toml(valueAt(track, time))}`),
});

/// The value that a track has at a time, for a new key there.
function valueAt({ curve, constant }, time) {
  if (!curve) return constant ?? 1;
  const k = curve.time.findIndex((t) => t > time);
  if (k === 0) return curve.value[0];
  if (k < 0) return curve.value.at(-1);
  const u = (time - curve.time[k - 1]) / (curve.time[k] - curve.time[k - 1]);
  const mix = (a, b) => (Array.isArray(a) ? a.map((x, i) => mix(x, b[i])) : typeof a === 'number' ? Number((a + u * (b - a)).toPrecision(6)) : a);
  return mix(curve.value[k - 1], curve.value[k]);
}

// What is shown of time. Frames that are there are played by the page, new ones by the program.
const shownFrame = () => state.shown ?? Math.max(0, state.last_frame ?? 0);
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
  if (!studio) return before.open === undefined || !$('gallery').children.length ? showGallery() : undefined;
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
  drawSurface();
  const key = [state.scene, state.take, state.edits].join();
  if (key !== sceneKey) {
    sceneKey = key;
    await loadScene();
  }
}

function drawStatus() {
  const parts = [
    `frame ${shownFrame()} of ${state.frames}`, `computed to ${Math.max(0, state.last_frame)}`,
    state.particles !== undefined && `${state.particles.toLocaleString('en')} particles`,
    state.step_size && `step ${state.step_size.toPrecision(2)} s`,
    state.limited_by && `limited by ${state.limited_by} of ${state.limiting_object}`,
    state.playing && 'computing',
  ];
  $('status').textContent = parts.filter(Boolean).join('   ·   ');
}

async function loadScene() {
  const answer = await command('scene');
  if (!answer.ok) return;
  if (scene?.name !== answer.name) viewport.camera = null;
  scene = answer;
  declarations ??= await command('declarations');
  inspector ??= new Inspector($('inspector'), declarations, run);
  inspector.setScene(scene);
  timeline.setTracks(tracksOf(scene.effective, inspector.behaviours));
  if (document.activeElement !== $('text')) $('text').value = scene.text;
  $('canvas').dataset.scene = scene.name;
}

async function useFrame(next) {
  if (!state.open) return;
  frame = next;
  const { header } = frame;
  viewport.show(frame);
  surfaceAsked = '';
  const beside = $('beside').value;
  viewport.show(beside ? await frameOf(beside, header.frame) : null, 1);
  $('canvas').dataset.frame = header.frame;
  $('canvas').dataset.time = header.time;
  $('canvas').dataset.take = header.take;
  options($('colour'), header.columns, header.colour_by);
  $('caption').textContent = `${beside ? `${header.take} | ${beside}   ` : ''}t = ${header.time.toFixed(3)} s`;
  drawLegend(header.legend);
  drawSurface();
  if (!$('plots').hidden) drawPlots();
}

/// Surfaces of the shown frame, when nothing moves and they are wanted.
let surfaceAsked = '';
async function drawSurface() {
  if (!frame || !state.open) return;
  const { take, frame: number } = frame.header, wanted = $('surface').checked && !state.playing && !playback;
  const key = wanted ? `${take} ${number} ${state.edits}` : '';
  if (key === surfaceAsked) return;
  surfaceAsked = key;
  if (!wanted) return viewport.showSurface(null);
  const surface = await surfaceOf(take, number);
  if (!surface) tell('This frame has no surfaces to show.');
  else if (surfaceAsked === key) viewport.showSurface(surface);
}

function drawLegend(legend) {
  $('legend').hidden = !legend;
  if (!legend) return;
  const [title, canvas, high, low] = $('legend').children, c = canvas.getContext('2d'), fill = c.createLinearGradient(0, 120, 0, 0);
  legend.colours.forEach((rgb, k) => fill.addColorStop(k / (legend.colours.length - 1), `rgb(${rgb})`));
  c.fillStyle = fill;
  c.fillRect(0, 0, 16, 120);
  title.textContent = legend.unit && legend.unit !== '1' ? `${legend.title} [${legend.unit}]` : legend.title;
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

// The start page.
async function showGallery() {
  const answer = await command('scenes');
  if (!answer.ok) return;
  options($('new-like'), answer.templates, 'dam-break');
  $('gallery').replaceChildren(...answer.scenes.map((one) => {
    const card = document.createElement('button'), picture = document.createElement('img'), title = document.createElement('b'), help = document.createElement('span');
    card.setAttribute('aria-label', `Open ${one.name}. ${one.help}`);
    card.dataset.scene = one.name;
    picture.src = `gallery/${encodeURIComponent(one.name.replace(/\.toml$/, ''))}.png`;
    picture.alt = '';
    picture.loading = 'lazy';
    picture.addEventListener('error', () => {
      const none = document.createElement('div');
      none.className = 'none';
      none.textContent = '≈';
      picture.replaceWith(none);
    });
    title.textContent = one.name;
    help.textContent = one.help;
    card.append(picture, title, help);
    card.addEventListener('click', async () => {
      const opened = await run(`open ${one.name}${$('preview').checked ? ' preview' : ''}`);
      if (!opened.ok) return alert(opened.error);
      await enter();
      run('play');
    });
    return card;
  }));
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
  const answer = await run(`new ${$('new-name').value} like ${$('new-like').value}`);
  if (answer.ok) enter();
  else alert(answer.error);
});

// The tools.
async function save() {
  const answer = await run('save');
  if (answer.ok) return tell(`Saved as ${answer.file}.`, 'good');
  const name = prompt(`${answer.error}\nSave in your folder as`, `${state.scene}.toml`);
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
  home: () => ((galleryWanted = true), run('pause'), useState(state), showGallery()),
  apply: () => run(`text ${JSON.stringify($('text').value)}`).then((answer) => answer.ok && tell('Applied.', 'good')),
};
for (const [id, action] of Object.entries(clicks)) $(id).addEventListener('click', action);
$('take').addEventListener('change', () => run(`take ${$('take').value}`));
$('surface').addEventListener('change', drawSurface);
$('beside').addEventListener('change', () => frame && useFrame(frame));
$('colour').addEventListener('change', () => run(`colour ${$('colour').value}`));
for (const tab of document.querySelectorAll('#side [role="tab"]')) tab.addEventListener('click', () => openPanel(tab.dataset.panel));

window.addEventListener('keydown', (event) => {
  if ($('studio').hidden) return;
  const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const control = event.ctrlKey || event.metaKey;
  const actions = {
    ' ': playOrPause, ArrowLeft: clicks.back, ArrowRight: clicks.forward, Home: clicks['to-start'], End: clicks.newest,
    f: () => viewport.frameAll(), F: () => viewport.frameAll(), Escape: () => ($('picked').hidden = true),
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

viewport.onPick = async (point) => {
  const box = $('picked');
  box.hidden = !point;
  if (!point) return;
  const answer = await command(`particle ${point.join(' ')}`);
  if (!answer.ok) return;
  const table = document.createElement('table');
  for (const { name, unit, values } of [{ name: 'object', unit: '', values: [answer.object] }, ...answer.columns]) {
    const line = table.insertRow(), number = (v) => (typeof v === 'number' ? Number(v.toPrecision(4)) : v);
    for (const text of [name, values.slice(0, 3).map(number).join(', ') + (values.length > 3 ? ', …' : ''), unit === '1' ? '' : unit])
      line.insertCell().textContent = text;
  }
  box.replaceChildren(table);
};
/// Moves an object by a vector: its shape is translated.
viewport.onMove = (object, by) => {
  const one = scene?.effective.objects?.[object];
  if (!one) return tell('Only objects with a shape can be moved.');
  const before = one.shape?.translate ?? [0, 0, 0], to = before.map((x, a) => Number((x + by[a]).toPrecision(4)));
  run(`set ${pathOf(['objects', one.name, 'shape', 'translate'])} = ${toml(to)}`);
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => viewport.request());
if (!viewport.gl) tell('This browser has no WebGL2, so particles cannot be drawn.', 'bad', 60);

let wasLost = false;
followState(useState, (lost) => {
  if (lost && !wasLost) tell('The program does not answer. The page connects again when it does.', 'bad', 20);
  wasLost = lost;
});
followFrames(useFrame);
