#!/usr/bin/env python3
"""A mountainside for lava: a gully that forks around a knoll and ends on a plain. A closed solid of 1544 triangles.

Use: python3 scripts/meshes/lava_terrain.py > scenes/meshes/lava-terrain.obj
"""
from math import cos, exp, sin

from obj_file import write_obj

LENGTH, WIDTH, BASE = 4.0, 1.6, -0.15
STRIPS, LONG_ROW = 18, 41  # rows alternate between 41 and 40 vertices


def bump(x, y, at_x, at_y, radius):
    return exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2)


def height(x, y):
    """x runs downhill from 0 to LENGTH, y across."""
    down = 1.0 - x / 3.0
    slope = 1.25 * max(down, 0) ** 1.3
    bed = 0.12 * sin(2.3 * x)  # the gully winds
    gully = -0.16 * exp(-(((y - bed) / 0.28) ** 2)) * exp(-(((x - 1.1) / 1.3) ** 2))
    knolls = 0.26 * bump(x, y, 1.75, -0.05, 0.20) + 0.15 * bump(x, y, 2.55, 0.38, 0.22) + 0.13 * bump(x, y, 2.7, -0.36, 0.2)
    rough = 0.018 * sin(9 * x + 2 * y) * cos(11 * y - 3 * x) + 0.010 * sin(21 * x) * sin(17 * y + 1)
    crater = -0.12 * bump(x, y, 0.35, 0.0, 0.32) + 0.10 * bump(x, y, 0.0, 0.0, 0.35)
    rims = 0.30 * (abs(y) / (WIDTH / 2)) ** 4
    return slope + gully + knolls + rough + crater + rims


vertices, rows = [], []
for row in range(STRIPS + 1):
    count = LONG_ROW if row % 2 == 0 else LONG_ROW - 1
    y = WIDTH * (row / STRIPS - 0.5)
    rows.append(range(len(vertices), len(vertices) + count))
    for k in range(count):
        # Short rows begin half a triangle later, except that their ends meet the border.
        along = k / (count - 1) if row % 2 == 0 else min(max((k + 0.5) / (LONG_ROW - 1), 0), 1)
        if row % 2 == 1 and k in (0, count - 1):
            along = 0 if k == 0 else 1
        x = LENGTH * along
        vertices.append((x, y, height(x, y)))

triangles = []
for a, b in zip(rows, rows[1:]):
    long, short, up = (a, b, True) if len(a) > len(b) else (b, a, False)
    for k in range(len(short)):
        triangles.append((long[k], long[k + 1], short[k]) if up else (long[k + 1], long[k], short[k]))
    for k in range(len(short) - 1):
        triangles.append((short[k], long[k + 1], short[k + 1]) if up else (long[k + 1], short[k], short[k + 1]))

# Upright sides on a flat base of four corners.
corners = [len(vertices) + k for k in range(4)]
vertices += [(x, y, BASE) for x, y in ((0, -WIDTH / 2), (LENGTH, -WIDTH / 2), (LENGTH, WIDTH / 2), (0, WIDTH / 2))]
border = [list(rows[0]), [row[-1] for row in rows], list(rows[-1])[::-1], [row[0] for row in rows][::-1]]
for side, top in enumerate(border):
    left, right = corners[side], corners[(side + 1) % 4]
    middle = len(top) // 2
    triangles += [(left if k < middle else right, top[k + 1], top[k]) for k in range(len(top) - 1)]
    triangles.append((left, right, top[middle]))
triangles += [(corners[0], corners[2], corners[1]), (corners[0], corners[3], corners[2])]

write_obj("A mountainside for lava, made by scripts/meshes/lava_terrain.py", vertices, triangles)
