#!/usr/bin/env python3
"""A strip of cloth from inside a cup over its rim and down outside, in squares of 3 mm.

Use: python3 scripts/meshes/towel.py > scenes/meshes/towel.obj
"""
from math import hypot

from obj_file import write_obj

EDGE, WIDTH = 0.003, 0.024
# In the plane y = 0.
PATH = [(0.0165, 0.004), (0.0205, 0.047), (0.025, 0.051), (0.038, 0.051), (0.0445, 0.045), (0.0465, -0.075)]


def at(way):
    for (x, z), (to_x, to_z) in zip(PATH, PATH[1:]):
        length = hypot(to_x - x, to_z - z)
        if way <= length:
            return x + (to_x - x) * way / length, z + (to_z - z) * way / length
        way -= length
    return PATH[-1]


def main():
    rows = int(sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(PATH, PATH[1:])) / EDGE) + 1
    columns = round(WIDTH / EDGE) + 1
    vertices, faces = [], []
    for r in range(rows):
        x, z = at(r * EDGE)
        vertices += [(x, c * EDGE - WIDTH / 2, z) for c in range(columns)]
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b = r * columns + c, (r + 1) * columns + c
            faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    write_obj("A strip of cloth over the rim of a cup, made by scripts/meshes/towel.py", vertices, faces)


if __name__ == "__main__":
    main()
