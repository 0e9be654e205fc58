// Talks to the program: commands, and the two streams of states and frames. A stream asks for the newest thing after
// the last one it has; a slow page therefore misses frames and never falls behind.

export async function command(line) {
  try {
    const answer = await fetch('command', { method: 'POST', body: line });
    return await answer.json();
  } catch {
    return { ok: false, error: 'the program does not answer; is it still running?' };
  }
}

/// Calls use(response) for everything new, as long as the page is there; lost(true) while the program is not.
async function follow(path, use, lost) {
  let number = 0;
  for (;;) {
    try {
      const answer = await fetch(`${path}?after=${number}`);
      lost(false);
      if (answer.status === 200) {
        number = Number(answer.headers.get('X-Number'));
        await use(answer);
      } else if (answer.status !== 204) {
        await pause(500);
      }
    } catch {
      lost(true);
      number = 0;
      await pause(1000);
    }
  }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const followState = (use, lost) => follow('state', async (answer) => use(await answer.json()), lost);
export const followFrames = (use) =>
  follow('frame', async (answer) => {
    await use(unpacked(await answer.arrayBuffer()));
    // Not faster than the screen.
    await new Promise((done) => setTimeout(done, 10));
  }, () => {});

export async function frameOf(take, frame) {
  const answer = await fetch(`frame?take=${encodeURIComponent(take)}&frame=${frame}`);
  return answer.ok ? unpacked(await answer.arrayBuffer()) : null;
}

/// Triangles as the program packs them; null if there are none.
async function meshAt(address) {
  const answer = await fetch(address);
  if (answer.status !== 200) return null;
  const bytes = await answer.arrayBuffer(), length = new DataView(bytes).getUint32(0, true);
  const { vertices, triangles, props } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const begin = 4 + length;
  return {
    list: props, places: new Float32Array(bytes, begin, 3 * vertices), normals: new Int8Array(bytes, begin + 12 * vertices, 4 * vertices),
    tints: new Uint8Array(bytes, begin + 16 * vertices, 4 * vertices), triangles: new Uint32Array(bytes, begin + 20 * vertices, 3 * triangles),
  };
}
/// The surfaces of a frame, and what stands beside the particles in a take.
export const surfaceOf = (take, frame) => meshAt(`surface?take=${encodeURIComponent(take)}&frame=${frame}`);
export const propsOf = (take) => meshAt(`props?take=${encodeURIComponent(take)}`);

/// A frame as the program packs it: header, places, tints, the shapes of solids that change.
export function unpacked(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const count = header.particles + header.solids;
  const begin = 4 + length;
  // Solids that change their shape follow the particles.
  let next = begin + 12 * count;
  const deformed = header.deformed.map(({ prop, vertices }) => {
    const at = next;
    next += 16 * vertices;
    return { prop, places: new Float32Array(bytes, at, 3 * vertices), normals: new Int8Array(bytes, at + 12 * vertices, 4 * vertices) };
  });
  return { header, count, deformed, places: new Uint16Array(bytes, begin, 4 * count), tints: new Uint8Array(bytes, begin + 8 * count, 4 * count) };
}

/// A value of the page as TOML.
export function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value && typeof value === 'object')
    return `{ ${Object.entries(value).map(([key, one]) => `${tomlKey(key)} = ${toml(one)}`).join(', ')} }`;
  return String(value);
}
/// A unit for the eyes: m^d is m³ in space.
export const prettyUnit = (unit, dimension = 3) =>
  unit === '1' ? '' : unit.replaceAll('^d', `^${dimension}`).replace(/\^(-?)([1234])/g, (_, minus, n) => (minus ? '⁻' : '') + '⁰¹²³⁴'[n]);
export const tomlKey = (key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
export const pathOf = (words) => words.map(tomlKey).join('.');

/// The node of a scene's tree at a path; elements of lists by name or number.
export const at = (tree, words) =>
  words.reduce((node, word) => (Array.isArray(node) ? node.find((one) => one?.name === word) ?? node[Number(word)] : node?.[word]), tree);
