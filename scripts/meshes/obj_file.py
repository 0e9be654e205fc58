"""Writes triangles as an OBJ file to standard output."""


def write_obj(comment, vertices, triangles):
    print(f"# {comment}\n# {len(vertices)} vertices, {len(triangles)} triangles")
    for vertex in vertices:
        print("v", *(f"{x:.4f}" for x in vertex))
    for triangle in triangles:
        print("f", *(corner + 1 for corner in triangle))
