#!/usr/bin/env python3
"""A steep dome of rock with grooves down its flanks, a small hollow on its top and a foot that runs out. 4,800 triangles.

Use: python3 scripts/meshes/sugar_loaf.py > scenes/meshes/sugar-loaf.obj
"""
from math import cos, pi, sin

from obj_file import dome, write_obj

AROUND, RINGS = 80, 30
# Radius and height of the profile, from the top down [m].
PROFILE = ((0.0, 1.26), (0.10, 1.27), (0.22, 1.30), (0.36, 1.22), (0.47, 1.05), (0.54, 0.82), (0.60, 0.55), (0.68, 0.30), (0.84, 0.12),
           (1.10, 0.04), (1.40, 0.0))
BASE = -0.1


def on_profile(t):
    """Catmull-Rom through the profile, t from 0 to 1."""
    place = t * (len(PROFILE) - 1)
    k = min(int(place), len(PROFILE) - 2)
    s = place - k
    p = [PROFILE[min(max(k + i, 0), len(PROFILE) - 1)] for i in (-1, 0, 1, 2)]
    return [
        0.5 * (2 * b + (c - a) * s + (2 * a - 5 * b + 4 * c - d) * s**2 + (3 * b - a - 3 * c + d) * s**3)
        for a, b, c, d in zip(*p)
    ]


def on_rock(ring, k):
    angle, t = 2 * pi * k / AROUND, ring / RINGS
    radius, z = on_profile(t)
    flank = sin(pi * min(max((t - 0.1) / 0.75, 0), 1))
    grooves = 0.055 * sin(7 * angle + 1.5 * sin(3 * z)) + 0.03 * sin(13 * angle + 4 * z) + 0.015 * sin(23 * angle - 9 * z)
    radius *= 1 + 0.05 * sin(2 * angle + 0.7) * flank + 1.2 * grooves * flank
    # Low places of the rim are where lava leaves the hollow.
    rim = 0.035 * sin(3 * angle + 0.5) * max(1 - abs(t - 0.2) / 0.15, 0)
    return radius * cos(angle), radius * sin(angle), z + rim


write_obj("A steep rock, made by scripts/meshes/sugar_loaf.py", *dome(on_rock, RINGS, AROUND, (0, 0, BASE)))
