#!/usr/bin/env python3
"""A face that looks up, as a closed relief of 10,000 triangles: 100 around, 50 rings.

Use: python3 scripts/meshes/face.py > scenes/meshes/face.obj
"""
from math import cos, exp, hypot, pi, sin, sqrt

from obj_file import dome, write_obj

AROUND, RINGS = 100, 50
HALF_WIDTH, HALF_LENGTH, DEPTH = 0.42, 0.58, 0.30  # x is to the side, y to the forehead, z up


def bump(x, y, at_x, at_y, wide, long):
    return exp(-((x - at_x) ** 2 / wide**2 + (y - at_y) ** 2 / long**2))


def ridge(x, y, a, b, wide):
    """A bump along the line from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = min(max(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0), 1)
    return exp(-((hypot(x - a[0] - t * dx, y - a[1] - t * dy) / wide) ** 2))


def features(x, y):
    side = abs(x)
    # The nose rises from between the brows to its tip, with nostrils beside it.
    along = min(max((0.16 - y) / 0.28, 0), 1)
    nose_length = 1 if -0.12 <= y <= 0.16 else exp(-(((y + 0.12 if y < 0 else y - 0.16) / 0.03) ** 2))
    nose = (0.04 + 0.15 * along) * nose_length * exp(-((x / (0.035 + 0.030 * along)) ** 2))
    nostrils = 0.05 * bump(side, y, 0.065, -0.10, 0.035, 0.035)
    brows = 0.055 * ridge(side, y, (0.06, 0.17), (0.24, 0.19), 0.045)
    sockets = -0.075 * bump(side, y, 0.155, 0.09, 0.085, 0.055)
    eyes = 0.055 * bump(side, y, 0.155, 0.085, 0.055, 0.036)
    cheeks = 0.035 * bump(side, y, 0.22, -0.06, 0.10, 0.09)
    mouth_y = -0.265 - 0.25 * x * x
    upper_lip = 0.055 * ridge(x, y, (-0.09, -0.245), (0.09, -0.245), 0.022)
    lower_lip = 0.055 * ridge(x, y, (-0.07, -0.295), (0.07, -0.295), 0.025)
    mouth = -0.045 * exp(-(((y - mouth_y) / 0.012) ** 2)) * exp(-((x / 0.12) ** 4))
    groove = -0.02 * bump(x, y, 0, -0.20, 0.02, 0.03)
    chin = 0.075 * bump(x, y, 0, -0.42, 0.09, 0.06) - 0.03 * bump(x, y, 0, -0.345, 0.10, 0.025)
    temples = -0.03 * bump(side, y, 0.33, 0.22, 0.07, 0.12)
    return nose + nostrils + brows + sockets + eyes + cheeks + upper_lip + lower_lip + mouth + groove + chin + temples


def on_face(ring, k):
    angle, out = 2 * pi * k / AROUND, ring / RINGS
    # Rings lie closer at the steep border.
    radius = sin(0.5 * pi * out)
    narrow = 1 - 0.16 * max(-sin(angle), 0) ** 2  # towards the chin
    x, y = HALF_WIDTH * radius * cos(angle) * narrow, HALF_LENGTH * radius * sin(angle)
    vault = DEPTH * sqrt(max(1 - radius**2.6, 0))
    return x, y, vault + features(x, y) * (1 - out**6)


write_obj("A face that looks up, made by scripts/meshes/face.py", *dome(on_face, RINGS, AROUND, (0, 0, 0)))
