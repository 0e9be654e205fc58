#!/usr/bin/env python3
"""A galloping horse, one cycle of its gait in twelve steps; the last mesh is the first again. It faces along x and stays in place.

Use: python3 scripts/meshes/horse.py scenes/meshes
"""
import sys
from math import cos, pi, radians, sin

from figure import Bone, posed, skin, weights, write_sequence

STEPS = 12
SCALE = 0.5

BONES = {
    "trunk": Bone((-0.55, 0, 1.16), (0.42, 0, 1.14), 0.29, 0.30, joint=(-0.05, 0, 1.15)),
    "neck": Bone((0.55, 0, 1.28), (1.00, 0, 1.72), 0.18, 0.115, "trunk", (0.5, 0, 1.25)),
    "head": Bone((1.00, 0, 1.76), (1.38, 0, 1.50), 0.12, 0.07, "neck", (1.0, 0, 1.74)),
    "ears": Bone((0.97, 0, 1.84), (0.95, 0, 1.98), 0.05, 0.035, "head"),
    "dock": Bone((-0.78, 0, 1.28), (-1.05, 0, 1.22), 0.075, 0.07, "trunk"),
    "tail": Bone((-1.05, 0, 1.22), (-1.32, 0, 0.88), 0.075, 0.05, "dock"),
}
for side, y in (("left", 0.15), ("right", -0.15)):
    BONES |= {
        f"{side} thigh": Bone((-0.60, y, 1.06), (-0.46, 1.1 * y, 0.74), 0.18, 0.12, "trunk"),
        f"{side} shank": Bone((-0.46, 1.1 * y, 0.74), (-0.74, 1.1 * y, 0.52), 0.11, 0.08, f"{side} thigh"),
        f"{side} hind cannon": Bone((-0.74, 1.1 * y, 0.52), (-0.70, 1.1 * y, 0.12), 0.075, 0.06, f"{side} shank"),
        f"{side} hind hoof": Bone((-0.70, 1.1 * y, 0.12), (-0.63, 1.1 * y, 0.05), 0.06, 0.07, f"{side} hind cannon"),
        f"{side} arm": Bone((0.42, y, 1.02), (0.42, 1.1 * y, 0.58), 0.15, 0.085, "trunk"),
        f"{side} fore cannon": Bone((0.42, 1.1 * y, 0.58), (0.42, 1.1 * y, 0.12), 0.08, 0.06, f"{side} arm"),
        f"{side} fore hoof": Bone((0.42, 1.1 * y, 0.12), (0.49, 1.1 * y, 0.05), 0.06, 0.07, f"{side} fore cannon"),
    }

# Stout enough for liquids that follow it.
for name, bone in BONES.items():
    if name != "trunk":
        bone.radius_a *= 1.22
        bone.radius_b *= 1.22

# When in the cycle each leg is farthest forward: the hind legs land one after the other, then the fore legs.
PHASE = {"left hind": 0.0, "right hind": 0.10, "left fore": 0.46, "right fore": 0.58}


def forward(degrees):
    """A turn that swings what hangs down to the front."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return ((c, 0, -s), (0, 1, 0), (s, 0, c))


def pose(part):
    def wave(phase, shift=0.0):
        return cos(2 * pi * (part - phase + shift))

    turns = {
        "trunk": forward(5 * wave(0.95)),
        "neck": forward(-9 + 9 * wave(0.15)),
        "head": forward(6 * wave(0.25)),
        "dock": forward(-18 + 8 * wave(0.3)),
        "tail": forward(-30 + 16 * wave(0.5)),
    }
    for side in ("left", "right"):
        phase = PHASE[f"{side} hind"]
        # Bent while it swings forward, a quarter of the cycle before it is farthest in front.
        lifted = max(0.0, wave(phase, 0.22)) ** 1.3
        turns[f"{side} thigh"] = forward(4 + 36 * wave(phase))
        turns[f"{side} shank"] = forward(-62 * lifted)
        turns[f"{side} hind cannon"] = forward(6 + 62 * lifted - 18 * max(0.0, -wave(phase)))
        turns[f"{side} hind hoof"] = forward(-34 * lifted)
        phase = PHASE[f"{side} fore"]
        lifted = max(0.0, wave(phase, 0.22)) ** 1.3
        turns[f"{side} arm"] = forward(8 + 40 * wave(phase))
        turns[f"{side} fore cannon"] = forward(-92 * lifted)
        turns[f"{side} fore hoof"] = forward(-40 * lifted)
    height = 0.06 + 0.07 * wave(0.83)
    return turns, (((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, height))


vertices, triangles = skin(BONES, cell=0.105, blend=0.035)
shares = weights(BONES, vertices, softness=0.035)
poses = [posed(BONES, vertices, shares, *pose(step / STEPS)) for step in range(STEPS)]
poses.append(poses[0])
poses = [[[SCALE * c for c in x] for x in vertices] for vertices in poses]
write_sequence(sys.argv[1], "horse", "A galloping horse, made by scripts/meshes/horse.py", poses, triangles)
