// The start page: the scenes of the folder and of the gallery with their pictures, and the beginning of a new one.

import { command } from './client.js';

const $ = (id) => document.getElementById(id);

function card({ name, help, own }, open) {
  const box = document.createElement('button'), picture = document.createElement('img'), title = document.createElement('b'), text = document.createElement('span');
  box.setAttribute('aria-label', `Open ${name}. ${help}`);
  box.dataset.scene = name;
  box.dataset.words = `${name} ${help}`.toLowerCase();
  picture.src = `gallery/${encodeURIComponent(name.replace(/\.toml$/, ''))}.png`;
  picture.alt = '';
  picture.loading = 'lazy';
  picture.addEventListener('error', () => {
    const none = document.createElement('div');
    none.className = 'none';
    none.textContent = '≈';
    picture.replaceWith(none);
  });
  title.textContent = name;
  if (own) title.append(Object.assign(document.createElement('small'), { textContent: 'your folder' }));
  text.textContent = help;
  box.append(picture, title, text);
  box.addEventListener('click', async () => {
    // Opening takes a moment; the card says that something happens.
    box.classList.add('opening');
    await open(name);
    box.classList.remove('opening');
  });
  return box;
}

function filter() {
  const words = $('filter').value.toLowerCase().split(/\s+/).filter(Boolean), cards = [...$('gallery').children];
  for (const one of cards) one.hidden = !words.every((word) => one.dataset.words.includes(word));
  $('none-found').hidden = cards.some((one) => !one.hidden);
}

/// open(name) opens a scene.
export async function showGallery(open) {
  const answer = await command('scenes');
  if (!answer.ok) return;
  $('new-like').replaceChildren(...answer.templates.map((name) => new Option(name, name, false, name === 'dam-break')));
  $('gallery').replaceChildren(...answer.scenes.map((one) => card(one, open)));
  filter();
}

$('filter').addEventListener('input', filter);
