"""Triangles, and how they become an OBJ file on standard output."""


def write_obj(comment, vertices, triangles):
    print(f"# {comment}\n# {len(vertices)} vertices, {len(triangles)} triangles")
    for vertex in vertices:
        print("v", *(f"{x:.4f}" for x in vertex))
    for triangle in triangles:
        print("f", *(corner + 1 for corner in triangle))


def dome(place, rings, around, bottom):
    """A closed surface of rings about a top, place(ring, k), down to a flat base with its centre at bottom."""
    vertices = [place(0, 0)] + [place(ring, k) for ring in range(1, rings + 1) for k in range(around)] + [bottom]

    def at(ring, k):
        return 1 + (ring - 1) * around + k % around

    triangles = []
    for k in range(around):
        triangles.append((0, at(1, k), at(1, k + 1)))
        for ring in range(1, rings):
            triangles.append((at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)))
            triangles.append((at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)))
        triangles.append((len(vertices) - 1, at(rings, k + 1), at(rings, k)))
    return vertices, triangles
