// Matrices of four by four, column by column, as WebGL takes them.

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => a.map((x) => x / (Math.hypot(...a) || 1));

export function lookAt(eye, target, up) {
  const back = unit(eye.map((x, a) => x - target[a])), right = unit(cross(up, back)), top = cross(back, right);
  return [right[0], top[0], back[0], 0, right[1], top[1], back[1], 0, right[2], top[2], back[2], 0,
          -dot(right, eye), -dot(top, eye), -dot(back, eye), 1];
}

/// Vertical angle of view in radians.
export function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

export function orthographic(halfWidth, halfHeight, near, far) {
  return [1 / halfWidth, 0, 0, 0, 0, 1 / halfHeight, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1];
}

export function multiply(a, b) {
  const result = new Array(16).fill(0);
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 4; ++r) for (let k = 0; k < 4; ++k) result[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return result;
}

/// Homogeneous coordinates of a point.
export const transform = (m, [x, y, z]) => [0, 1, 2, 3].map((r) => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);

/// The inverse of any matrix that has one.
export function inverse(m) {
  const rows = [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => m[4 * c + r]).concat([0, 1, 2, 3].map((c) => (c === r ? 1 : 0))));
  for (let k = 0; k < 4; ++k) {
    const best = [0, 1, 2, 3].filter((r) => r >= k).reduce((a, b) => (Math.abs(rows[b][k]) > Math.abs(rows[a][k]) ? b : a));
    [rows[k], rows[best]] = [rows[best], rows[k]];
    const pivot = rows[k][k];
    rows[k] = rows[k].map((x) => x / pivot);
    for (let r = 0; r < 4; ++r) if (r !== k) rows[r] = rows[r].map((x, c) => x - rows[r][k] * rows[k][c]);
  }
  return [0, 1, 2, 3].flatMap((c) => [0, 1, 2, 3].map((r) => rows[r][4 + c]));
}

/// A pose as the program sends it: rotation column by column, then the position.
export const poseMatrix = (p, by = [0, 0, 0]) => [p[0], p[1], p[2], 0, p[3], p[4], p[5], 0, p[6], p[7], p[8], 0, p[9] + by[0], p[10] + by[1], p[11] + by[2], 1];
export const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
