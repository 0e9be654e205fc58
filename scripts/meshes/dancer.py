#!/usr/bin/env python3
"""A dancing woman, one round of her dance in ten steps (the last mesh is the first again), and her skirt, a bell of cloth that faces outwards.
She faces against y and stays in place; the scene turns her.

Use: python3 scripts/meshes/dancer.py scenes/meshes
"""
import sys
from math import cos, pi, radians, sin
from pathlib import Path

from figure import Bone, posed, skin, weights, write_sequence

STEPS = 10

BONES = {
    "pelvis": Bone((0, 0, 1.00), (0, 0, 1.10), 0.135, 0.115),
    "torso": Bone((0, 0, 1.14), (0, 0, 1.40), 0.105, 0.135, "pelvis", (0, 0, 1.12)),
    "neck": Bone((0, 0, 1.48), (0, 0, 1.60), 0.055, 0.05, "torso"),
    "head": Bone((0, -0.02, 1.66), (0, 0, 1.73), 0.085, 0.10, "neck", (0, 0, 1.6)),
    "bun": Bone((0, 0.11, 1.80), (0, 0.13, 1.81), 0.055, 0.055, "head"),
}
for side, x in (("left", 1), ("right", -1)):
    BONES |= {
        f"{side} arm": Bone((0.19 * x, 0, 1.44), (0.33 * x, 0, 1.20), 0.055, 0.045, "torso"),
        f"{side} forearm": Bone((0.33 * x, 0, 1.20), (0.45 * x, -0.04, 1.01), 0.045, 0.038, f"{side} arm"),
        f"{side} hand": Bone((0.45 * x, -0.04, 1.01), (0.50 * x, -0.06, 0.92), 0.04, 0.032, f"{side} forearm"),
        f"{side} thigh": Bone((0.08 * x, 0, 0.98), (0.095 * x, 0, 0.55), 0.10, 0.07, "pelvis"),
        f"{side} shin": Bone((0.095 * x, 0, 0.55), (0.095 * x, 0, 0.12), 0.065, 0.045, f"{side} thigh"),
        f"{side} foot": Bone((0.095 * x, 0, 0.09), (0.095 * x, -0.15, 0.05), 0.048, 0.038, f"{side} shin"),
    }


def about_y(degrees):
    """Lifts the left arm (at positive x) sideways."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return ((c, 0, -s), (0, 1, 0), (s, 0, c))


def about_x(degrees):
    """Swings what hangs down to the front (against y)."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return ((1, 0, 0), (0, c, s), (0, -s, c))


def pose(part):
    wave = cos(2 * pi * part)
    turns = {"torso": about_y(-7 * wave), "neck": about_y(4 * wave), "head": about_y(9 * wave)}
    for side, sign, now in (("left", 1, wave), ("right", -1, -wave)):
        # One arm over the head while the other one is held out.
        turns[f"{side} arm"] = about_y(sign * (62 + 46 * now))
        turns[f"{side} forearm"] = about_y(sign * (16 + 18 * now))
        turns[f"{side} hand"] = about_y(sign * 10 * now)
        lifted = max(0.0, now)
        turns[f"{side} thigh"] = about_x(16 * lifted)
        turns[f"{side} shin"] = about_x(-34 * lifted)
        turns[f"{side} foot"] = about_x(-25 * lifted)
    return turns, (((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0))


def skirt(rings, around):
    """From the waist to the hem, edges of 15 to 55 mm."""
    vertices, triangles = [], []
    for ring in range(rings + 1):
        t = ring / rings
        radius, z = 0.165 + 0.33 * t, 1.10 - 0.56 * t
        for k in range(around):
            angle = 2 * pi * (k + 0.5 * (ring % 2)) / around
            vertices.append((radius * cos(angle), radius * sin(angle), z))
    for ring in range(rings):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            c, d = a + around, b + around
            # Vertices of every other ring lie half a step further round.
            if ring % 2 == 0:
                triangles += [(a, c, b), (b, c, d)]
            else:
                triangles += [(a, c, d), (a, d, b)]
    return vertices, triangles


vertices, triangles = skin(BONES, cell=0.052, blend=0.02)
shares = weights(BONES, vertices, softness=0.02)
poses = [posed(BONES, vertices, shares, *pose(step / STEPS)) for step in range(STEPS)]
poses.append(poses[0])
write_sequence(sys.argv[1], "dancer", "A dancing woman, made by scripts/meshes/dancer.py", poses, triangles)
vertices, triangles = skirt(19, 56)
write_sequence(sys.argv[1], "skirt", "A skirt, made by scripts/meshes/dancer.py", [vertices], triangles)
(Path(sys.argv[1]) / "skirt-00.obj").rename(Path(sys.argv[1]) / "skirt.obj")
