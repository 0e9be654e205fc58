"""Figures of bones: a smooth skin around them in their rest pose, and the same skin in other poses.

A bone is a cone with round ends. The skin is the surface of their smooth union, found on a grid (surface nets: one vertex per cell that the
surface passes), so every pose has the same triangles. A vertex goes with the bones near it (linear blend skinning).
"""
from math import exp, log, sqrt
from pathlib import Path


class Bone:
    """From a to b, with these radii; turns about its joint, which goes with the parent."""

    def __init__(self, a, b, radius_a, radius_b, parent=None, joint=None):
        self.a, self.b, self.radius_a, self.radius_b = a, b, radius_a, radius_b
        self.parent, self.joint = parent, joint or a

    def distance(self, p):
        ab = [self.b[c] - self.a[c] for c in range(3)]
        ap = [p[c] - self.a[c] for c in range(3)]
        t = sum(x * y for x, y in zip(ap, ab)) / sum(x * x for x in ab)
        t = min(1.0, max(0.0, t))
        return sqrt(sum((ap[c] - t * ab[c]) ** 2 for c in range(3))) - (self.radius_a + t * (self.radius_b - self.radius_a))


def distance(bones, p, blend):
    nearest = [bone.distance(p) for bone in bones.values()]
    least = min(nearest)
    return least - blend * log(sum(exp((least - d) / blend) for d in nearest))


def skin(bones, cell, blend):
    """Vertices and triangles around all bones."""
    lower, upper = [], []
    for c in range(3):
        lower.append(min(min(b.a[c] - b.radius_a, b.b[c] - b.radius_b) for b in bones.values()) - 2 * cell)
        upper.append(max(max(b.a[c] + b.radius_a, b.b[c] + b.radius_b) for b in bones.values()) + 2 * cell)
    count = [int((upper[c] - lower[c]) / cell) + 2 for c in range(3)]

    def place(i, j, k):
        return (lower[0] + cell * i, lower[1] + cell * j, lower[2] + cell * k)

    value = {}
    for i in range(count[0]):
        for j in range(count[1]):
            for k in range(count[2]):
                value[i, j, k] = distance(bones, place(i, j, k), blend)
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    edges = [(a, b) for a in corners for b in corners if a < b and sum(abs(x - y) for x, y in zip(a, b)) == 1]
    vertices, number = [], {}
    for i in range(count[0] - 1):
        for j in range(count[1] - 1):
            for k in range(count[2] - 1):
                crossings = []
                for a, b in edges:
                    p, q = (i + a[0], j + a[1], k + a[2]), (i + b[0], j + b[1], k + b[2])
                    if (value[p] < 0) != (value[q] < 0):
                        t = value[p] / (value[p] - value[q])
                        crossings.append([x + t * (y - x) for x, y in zip(place(*p), place(*q))])
                if crossings:
                    number[i, j, k] = len(vertices)
                    vertices.append([sum(x[c] for x in crossings) / len(crossings) for c in range(3)])
    triangles = []
    for (i, j, k), inside in value.items():
        for axis in range(3):
            end = [i, j, k]
            end[axis] += 1
            if tuple(end) not in value or (inside < 0) == (value[tuple(end)] < 0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                at = [i, j, k]
                at[u] += du
                at[v] += dv
                around.append(number[tuple(at)])
            if inside >= 0:
                around.reverse()
            triangles += [(around[0], around[1], around[2]), (around[0], around[2], around[3])]
    return vertices, triangles


def weights(bones, vertices, softness):
    """Of every vertex: how much it goes with each bone."""
    result = []
    for x in vertices:
        near = {name: bone.distance(x) for name, bone in bones.items()}
        least = min(near.values())
        shares = {name: exp((least - d) / softness) for name, d in near.items()}
        total = sum(shares.values())
        result.append({name: share / total for name, share in shares.items() if share > 0.01 * total})
    return result


def apply(transform, x):
    turn, shift = transform
    return [sum(turn[r][c] * x[c] for c in range(3)) + shift[r] for r in range(3)]


def posed(bones, vertices, shares, turns, root):
    """The vertices when every bone is turned by a matrix about its joint, on top of its parent; root: a transform of all."""
    transforms = {}

    def transform(name):
        if name not in transforms:
            bone = bones[name]
            above, shift = transform(bone.parent) if bone.parent else root
            turn = turns.get(name, ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
            # x -> above (joint + turn (x - joint)) + shift
            both = [[sum(above[r][m] * turn[m][c] for m in range(3)) for c in range(3)] for r in range(3)]
            j = bone.joint
            moved = [
                sum(above[r][c] * j[c] for c in range(3)) - sum(both[r][c] * j[c] for c in range(3)) + shift[r]
                for r in range(3)
            ]
            transforms[name] = (both, moved)
        return transforms[name]

    result = []
    for x, share in zip(vertices, shares):
        total = sum(share.values())
        y = [0.0, 0.0, 0.0]
        for name, part in share.items():
            moved = apply(transform(name), x)
            for c in range(3):
                y[c] += part / total * moved[c]
        result.append(y)
    return result


def write_sequence(folder, name, comment, poses, triangles):
    for number, vertices in enumerate(poses):
        lines = [f"# {comment}", f"# {len(vertices)} vertices, {len(triangles)} triangles"]
        lines += ["v " + " ".join(f"{c:.4f}".rstrip("0").rstrip(".") for c in x) for x in vertices]
        lines += ["f " + " ".join(str(corner + 1) for corner in t) for t in triangles]
        (Path(folder) / f"{name}-{number:02d}.obj").write_text("\n".join(lines) + "\n")
