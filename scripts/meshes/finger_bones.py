#!/usr/bin/env python3
"""The bones of an open hand, palm up: five metacarpals and fourteen phalanges with knuckles, 2,360 triangles.

Use: python3 scripts/meshes/finger_bones.py > scenes/meshes/finger-bones.obj
"""
from math import cos, pi, radians, sin, sqrt

from obj_file import write_obj

AROUND = 10
# Thickness along a bone, from its base to its head: knuckles at both ends, a slender shaft between.
PHALANX = (0.70, 1.0, 0.70, 0.60, 0.96, 0.70)
METACARPAL = (0.75, 1.0, 0.72, 0.60, 0.66, 1.0, 0.75)
TIP = (0.75, 1.0, 0.66, 0.55, 0.66, 0.50)
THUMB_TIP = (0.75, 1.0, 0.60, 0.66, 0.50)

# Each finger: where it begins, its direction in the plane [degrees], how far it rises at its root and how much each joint curls [degrees],
# lengths of its bones, thickness at the knuckles [m].
FINGERS = (
    ((-0.13, 0.02), 150, 12, 16, (0.26, 0.21, 0.17), 0.050),
    ((-0.085, 0.10), 113, 4, 15, (0.40, 0.28, 0.19, 0.14), 0.046),
    ((-0.025, 0.12), 95, 2, 14, (0.40, 0.31, 0.21, 0.15), 0.048),
    ((0.040, 0.11), 76, 4, 15, (0.38, 0.28, 0.19, 0.15), 0.045),
    ((0.095, 0.07), 56, 8, 17, (0.35, 0.22, 0.15, 0.13), 0.040),
)
GAP = 0.012

vertices, triangles = [], []


def add_bone(base, direction, length, thickness, profile):
    side = (-direction[1], direction[0], 0)
    norm = sqrt(side[0] ** 2 + side[1] ** 2)
    side = tuple(c / norm for c in side)
    up = (side[1] * direction[2], -side[0] * direction[2], side[0] * direction[1] - side[1] * direction[0])
    first, bands = len(vertices), len(profile) + 1

    def point(along, radius, angle):
        u, v = radius * cos(angle), radius * sin(angle)
        return tuple(base[c] + along * direction[c] + u * side[c] + v * up[c] for c in range(3))

    vertices.append(point(0, 0, 0))
    for ring, width in enumerate(profile):
        # The outer rings lie close to the ends, which rounds them.
        t = 0.06 if ring == 0 else 0.94 if ring == len(profile) - 1 else 0.16 + 0.68 * (ring - 1) / max(len(profile) - 3, 1)
        for k in range(AROUND):
            vertices.append(point(t * length, 0.5 * thickness * width, 2 * pi * k / AROUND))
    vertices.append(point(length, 0, 0))
    last = len(vertices) - 1

    def at(ring, k):
        return first + 1 + ring * AROUND + k % AROUND

    for k in range(AROUND):
        triangles.append((first, at(0, k), at(0, k + 1)))
        for ring in range(bands - 2):
            triangles.append((at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)))
            triangles.append((at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)))
        triangles.append((at(bands - 2, k + 1), at(bands - 2, k), last))


for finger, ((x, y), heading, rise, curl, lengths, thickness) in enumerate(FINGERS):
    place, pitch = (x, y, 0.0), rise
    for bone, length in enumerate(lengths):
        direction = (
            cos(radians(heading)) * cos(radians(pitch)),
            sin(radians(heading)) * cos(radians(pitch)),
            sin(radians(pitch)),
        )
        tip = bone == len(lengths) - 1
        profile = METACARPAL if bone == 0 else (TIP if finger else THUMB_TIP) if tip else PHALANX
        add_bone(place, direction, length, thickness * (1 - 0.09 * bone), profile)
        place = tuple(place[c] + (length + GAP) * direction[c] for c in range(3))
        pitch += curl

write_obj("The bones of a hand, made by scripts/meshes/finger_bones.py", vertices, triangles)
