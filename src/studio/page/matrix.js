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
