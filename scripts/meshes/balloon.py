#!/usr/bin/env python3
"""A rubber balloon with an open neck, as a sheet of nearly equal triangles with edges of 15 mm.

Use: python3 scripts/meshes/balloon.py > scenes/meshes/balloon.obj
"""
from math import asin, cos, hypot, pi, sin

from obj_file import write_obj

EDGE, RADIUS, NECK, NECK_LENGTH = 0.015, 0.12, 0.06, 0.09


def profile(parts=400):
    """Radius and height along the wall from the lowest point to the rim, smoothed where body and neck meet."""
    top = pi - asin(NECK / RADIUS)
    points = [(RADIUS * sin(top * k / parts), -RADIUS * cos(top * k / parts)) for k in range(parts + 1)]
    points += [(NECK, points[parts][1] + NECK_LENGTH * k / 100) for k in range(1, 101)]
    for _ in range(600):
        points = points[:1] + [
            tuple((a + 2 * b + c) / 4 for a, b, c in zip(points[k - 1], points[k], points[k + 1]))
            for k in range(1, len(points) - 1)
        ] + points[-1:]
    return points


def rings():
    """Rings of points the height of a triangle apart along the wall, each half a step around from the last."""
    points = profile()
    lengths = [0.0]
    for (r, z), (r2, z2) in zip(points, points[1:]):
        lengths.append(lengths[-1] + hypot(r2 - r, z2 - z))
    count = round(lengths[-1] / (EDGE * 3**0.5 / 2))
    result, shift = [[(0.0, 0.0, points[0][1])]], 0.0
    angles = [[0.0]]
    for k in range(1, count + 1):
        at = lengths[-1] * k / count
        n = next(i for i in range(1, len(lengths)) if lengths[i] >= at - 1e-12)
        t = (at - lengths[n - 1]) / (lengths[n] - lengths[n - 1])
        r, z = (a + t * (b - a) for a, b in zip(points[n - 1], points[n]))
        around = max(6, round(2 * pi * r / EDGE))
        shift += 0.5 / around
        angles.append([2 * pi * (j / around + shift) for j in range(around)])
        result.append([(r * cos(a), r * sin(a), z) for a in angles[-1]])
    return result, angles


def stitched(first, lower, second, upper):
    """Triangles between two rings, given by their first vertex and the angles of their points."""
    if len(lower) == 1:
        return [(first, second + j, second + (j + 1) % len(upper)) for j in range(len(upper))]
    triangles, i, j = [], 0, 0
    start = min(range(len(upper)), key=lambda k: abs((upper[k] - lower[0] + pi) % (2 * pi) - pi))
    a = lambda k: lower[0] + 2 * pi * k / len(lower)
    turn = (upper[start] - lower[0] + pi) % (2 * pi) - pi
    b = lambda k: lower[0] + turn + 2 * pi * k / len(upper)
    low = lambda k: first + k % len(lower)
    high = lambda k: second + (start + k) % len(upper)
    while i < len(lower) or j < len(upper):
        if j == len(upper) or (i < len(lower) and a(i + 1) < b(j + 1)):
            triangles.append((low(i), low(i + 1), high(j)))
            i += 1
        else:
            triangles.append((low(i), high(j + 1), high(j)))
            j += 1
    return triangles


points, angles = rings()
vertices, triangles, first = [], [], 0
for k, ring in enumerate(points):
    vertices += ring
    if k:
        # Seen from outside counter-clockwise.
        triangles += [(p, q, r) if len(angles[k - 1]) > 1 else (p, r, q)
                      for p, q, r in stitched(first, angles[k - 1], first + len(points[k - 1]), angles[k])]
        first += len(points[k - 1])
write_obj("A balloon with an open neck, made by scripts/meshes/balloon.py", vertices, triangles)
