"""Loads an exported run of Fondue into Blender (3.1 or newer) as one animated object.

    fondue surface RUN                                    # surfaces; or particles: fondue export RUN --format ply
    fondue export RUN --format glb                        # solids, camera, materials
    blender --python scripts/blender/load_fondue.py -- RUN/surface --scene RUN/export/scene.glb
    blender -b --python scripts/blender/load_fondue.py -- RUN/surface --scene RUN/export/scene.glb --render out.png --frame 40
    blender --python scripts/blender/load_fondue.py -- RUN/export/ply       # particles by themselves

Or open this file in Blender's text editor and press Run: File > Import > Fondue run appears. Saved files find their
frames again when the text is registered with them (Text > Register) or this file is installed as an add-on.

The mesh of the object is exchanged whenever the frame changes; the last ones stay in memory. Every column is an
attribute of the points: velocity and other vectors as vectors, numbers as floats, id as an integer; `speed` is the
length of velocity. Cycles takes `velocity` for motion blur. Particles become spheres by the node group "Fondue
particles". With --scene every object of the run has a material of its own, made of its look; clear ones absorb light by
the metres it travels, as in Fondue's pictures. Without it the material shows the speed.
"""

bl_info = {
    "name": "Fondue runs",
    "description": "Load the frames of a particle simulation as one animated object",
    "version": (1, 0, 0),
    "blender": (3, 1, 0),
    "location": "File > Import > Fondue run",
    "category": "Import-Export",
}

import argparse
import json
import math
import re
import struct
import sys
from array import array
from collections import OrderedDict
from pathlib import Path

import bpy
from bpy.app.handlers import persistent
from mathutils import Vector

FOLDER = "fondue_folder"  # the custom property that makes an object one of ours
MESHES_KEPT = 24


# Reading


class Ply:
    """The vertices and triangles of a binary PLY file whose vertices are records of four-byte numbers."""

    def __init__(self, path):
        content = Path(path).read_bytes()
        header, end, body = content.partition(b"end_header\n")
        lines = header.decode("ascii", "replace").split("\n")
        if not end or lines[:2] != ["ply", "format binary_little_endian 1.0"]:
            raise ValueError(f"{path} is not a PLY file that Fondue exported")
        self.vertices = self.faces = 0
        self.properties = []  # (type, name) of the numbers of a vertex
        element = None
        for words in (line.split() for line in lines):
            if words[:1] == ["element"]:
                element = words[1]
                if element == "vertex":
                    self.vertices = int(words[2])
                elif element == "face":
                    self.faces = int(words[2])
            elif words[:1] == ["property"] and element == "vertex":
                if words[1] not in ("float", "uint", "int"):
                    raise ValueError(f"{path}: property {words[-1]} is not a four-byte number")
                self.properties.append((words[1], words[2]))
        size = 4 * self.vertices * len(self.properties)
        if len(body) < size + 13 * self.faces:
            raise ValueError(f"{path} is cut short")
        self._records = body[:size]
        self._triangles = body[size : size + 13 * self.faces]
        if self._triangles[0::13] != b"\x03" * self.faces:
            raise ValueError(f"{path} has faces that are not triangles")

    def names(self):
        return [name for _, name in self.properties]

    def column(self, name):
        """The values of one property, an array of floats or of integers."""
        place = self.names().index(name)
        values = array("f" if self.properties[place][0] == "float" else "i")
        values.frombytes(self._records)
        if sys.byteorder == "big":
            values.byteswap()
        return values[place :: len(self.properties)]

    def vectors(self, names):
        """Three properties as x, y, z of the first vertex, of the second, ..."""
        joined = array("f", bytes(12 * self.vertices))
        for axis, name in enumerate(names):
            joined[axis::3] = self.column(name)
        return joined

    def corners(self):
        """The three vertices of every triangle behind one another; byte by byte, which needs no loop over triangles."""
        data = bytearray(12 * self.faces)
        for k in range(12):
            data[k::12] = self._triangles[1 + k :: 13]
        corners = array("i")
        corners.frombytes(bytes(data))
        if sys.byteorder == "big":
            corners.byteswap()
        return corners

    def attributes(self):
        """(name, type in Blender, values) of everything but place and normal."""
        names = self.names()
        rest = [name for name in names if name not in ("x", "y", "z", "nx", "ny", "nz")]
        if all(name in rest for name in ("vx", "vy", "vz")):
            yield "velocity", "FLOAT_VECTOR", self.vectors(("vx", "vy", "vz"))
            # Cycles keeps the name velocity to itself; materials see this one.
            yield "speed", "FLOAT", array("f", map(math.hypot, *map(self.column, ("vx", "vy", "vz"))))
            rest = [name for name in rest if name not in ("vx", "vy", "vz")]
        while rest:
            name = rest.pop(0)
            stem, parts = name[:-2], [name[:-2] + axis for axis in ("_x", "_y", "_z")]
            if name == parts[0] and all(part in rest for part in parts[1:]):
                rest = [other for other in rest if other not in parts]
                yield stem, "FLOAT_VECTOR", self.vectors(parts)
            else:
                values = self.column(name)
                yield name, "FLOAT" if values.typecode == "f" else "INT", values


def make_mesh(name, ply):
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(ply.vertices)
    if ply.vertices:
        mesh.vertices.foreach_set("co", ply.vectors(("x", "y", "z")))
    if ply.faces:
        mesh.loops.add(3 * ply.faces)
        mesh.polygons.add(ply.faces)
        mesh.loops.foreach_set("vertex_index", ply.corners())
        mesh.polygons.foreach_set("loop_start", array("i", range(0, 3 * ply.faces, 3)))
        if bpy.app.version < (3, 6, 0):  # later it follows from the starts
            mesh.polygons.foreach_set("loop_total", array("i", [3]) * ply.faces)
        mesh.polygons.foreach_set("use_smooth", array("b", [1]) * ply.faces)
        if "object" in ply.names():  # the material slot of a triangle is that of its object
            objects, corners = ply.column("object"), ply.corners()
            mesh.polygons.foreach_set("material_index", array("i", [int(objects[v]) for v in corners[0::3]]))
    for attribute, kind, values in ply.attributes():
        layer = mesh.attributes.new(attribute, kind, "POINT")
        if ply.vertices:
            layer.data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", values)
    mesh.update(calc_edges=True)
    return mesh


# Playing

_meshes = OrderedDict()  # (folder, frame, time of the file) -> name of the mesh, the least recently shown first
_listings = {}  # folder -> {frame: path}


def frames_in(folder):
    found = {}
    for path in Path(folder).glob("frame_*.ply"):
        number = re.fullmatch(r"frame_(\d+)\.ply", path.name)
        if number:
            found[int(number.group(1))] = path
    return dict(sorted(found.items()))


def frame_to_show(listing, wanted):
    """The frame asked for, or the last one before it, or the first."""
    earlier = [frame for frame in listing if frame <= wanted]
    return earlier[-1] if earlier else next(iter(listing))


def show(thing, frame):
    """Gives the object the mesh of a frame."""
    folder = bpy.path.abspath(thing[FOLDER])
    if folder not in _listings:
        _listings[folder] = frames_in(folder)
    listing = _listings[folder]
    if not listing:
        return
    shown = frame_to_show(listing, frame)
    key = (folder, shown, listing[shown].stat().st_mtime_ns)
    mesh = bpy.data.meshes.get(_meshes.get(key, ""))
    if mesh is None:
        mesh = make_mesh(f"{thing.name} {shown:06}", Ply(listing[shown]))
        _meshes[key] = mesh.name
    _meshes.move_to_end(key)
    if thing.data != mesh:
        # Materials belong to meshes; what the artist gave to one goes on to the next.
        materials = [slot.material for slot in thing.material_slots]
        if list(mesh.materials) != materials:
            slots = array("i", [0]) * len(mesh.polygons)
            mesh.polygons.foreach_get("material_index", slots)
            mesh.materials.clear()  # which sets all of them to the first
            for material in materials:
                mesh.materials.append(material)
            mesh.polygons.foreach_set("material_index", slots)
        before, thing.data = thing.data, mesh
        if before.users == 0 and before.name not in _meshes.values():
            bpy.data.meshes.remove(before)
    while len(_meshes) > MESHES_KEPT:
        old = bpy.data.meshes.get(_meshes.popitem(last=False)[1])
        if old is not None and old.users == 0:
            bpy.data.meshes.remove(old)


@persistent
def show_fondue_frame(scene, *_):
    # Motion blur looks a little before and after a frame; there the same mesh moves by its velocity.
    frame = math.floor(scene.frame_current_final + 0.5)
    for thing in scene.objects:
        if thing.type == "MESH" and FOLDER in thing:
            try:
                show(thing, frame)
            except (OSError, ValueError) as error:  # the frames before and after are still worth seeing
                print(f"Fondue: {error}", file=sys.stderr)


# Loading


def scene_number(folder, key):
    """A number of the run's scene file, if the folder is still in its run."""
    for parent in Path(folder).resolve().parents[:3]:
        if (parent / "scene.toml").is_file():
            found = re.search(rf"^{key} = ([-+.\deE]+)$", (parent / "scene.toml").read_text(), re.MULTILINE)
            return float(found.group(1)) if found else None
    return None


# Materials


def gltf_of(path):
    """The JSON part of a binary glTF file."""
    content = Path(path).read_bytes()
    if content[:4] != b"glTF" or len(content) < 20:
        raise ValueError(f"{path} is not a binary glTF file: make it with fondue export RUN --format glb")
    return json.loads(content[20 : 20 + struct.unpack_from("<I", content, 12)[0]])


def set_input(node, value, *names):
    """Inputs have other names in newer versions of Blender; the first that is there is set."""
    for name in names:
        if name in node.inputs:
            node.inputs[name].default_value = value
            return


def look_material(entry, spacing):
    """A material of Cycles from one of glTF, with what glTF cannot say by the name of the look."""
    material = bpy.data.materials.new(entry["name"])
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    surface, output = nodes.new("ShaderNodeBsdfPrincipled"), nodes.new("ShaderNodeOutputMaterial")
    output.location = (300, 0)
    links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    plain, more, look = entry["pbrMetallicRoughness"], entry.get("extensions", {}), entry.get("extras", {}).get("look")
    set_input(surface, plain["baseColorFactor"], "Base Color")
    set_input(surface, plain["metallicFactor"], "Metallic")
    set_input(surface, plain["roughnessFactor"], "Roughness")
    material.diffuse_color = plain["baseColorFactor"]
    if "KHR_materials_transmission" in more:
        volume = more["KHR_materials_volume"]
        set_input(surface, 1.0, "Transmission Weight", "Transmission")
        set_input(surface, more["KHR_materials_ior"]["ior"], "IOR")
        # Light falls as exp(-density (1 - colour) s) in Cycles and as C^(s/d) in glTF.
        absorbed = [-math.log(min(max(c, 1e-4), 0.9999)) / volume["attenuationDistance"] for c in volume["attenuationColor"]]
        inside = nodes.new("ShaderNodeVolumeAbsorption")
        inside.location = (0, -600)
        inside.inputs["Density"].default_value = max(absorbed)
        inside.inputs["Color"].default_value = [1 - a / max(absorbed) for a in absorbed] + [1]
        links.new(inside.outputs["Volume"], output.inputs["Volume"])
        material.diffuse_color = [*volume["attenuationColor"], 1]
    if look in ("wax", "milk", "snow"):  # light is scattered a few particles deep
        set_input(surface, 1.0, "Subsurface Weight", "Subsurface")
        set_input(surface, [2 * spacing, 1.4 * spacing, spacing], "Subsurface Radius")
        set_input(surface, plain["baseColorFactor"], "Subsurface Color")
    if look == "lava":  # from dull red at 900 K to nearly white at 1500 K
        heat, colour, strength = (nodes.new("ShaderNode" + kind) for kind in ("Attribute", "Blackbody", "MapRange"))
        heat.attribute_name = "temperature"
        for place, node in enumerate((heat, colour, strength)):
            node.location = (-500 + 220 * min(place, 1), -300 * place)
        strength.inputs["From Min"].default_value, strength.inputs["From Max"].default_value = 900, 1500
        strength.inputs["To Max"].default_value = 8
        links.new(heat.outputs["Fac"], colour.inputs[0])
        links.new(heat.outputs["Fac"], strength.inputs["Value"])
        links.new(colour.outputs[0], surface.inputs["Emission Color" if "Emission Color" in surface.inputs else "Emission"])
        links.new(strength.outputs[0], surface.inputs["Emission Strength"])
    return material


def matter_materials(gltf, spacing):
    """The materials of the objects of a run, in their order."""
    matter = gltf["nodes"][0].get("extras", {}).get("matter", [])
    return [look_material(gltf["materials"][part["material"]], spacing) for part in matter]


def make_material():
    """Blue where it rests, white where it is fast, until the artist has a better one."""
    material = bpy.data.materials.new("Fondue")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()  # what Blender puts there depends on the active object
    kinds = ("Attribute", "Math", "ValToRGB", "BsdfPrincipled", "OutputMaterial")
    speed, scale, ramp, surface, output = chain = [nodes.new("ShaderNode" + kind) for kind in kinds]
    for place, node in enumerate(chain):
        node.location = (280 * place, 0)
    surface.inputs["Roughness"].default_value = 0.25
    speed.attribute_name = "speed"
    scale.operation = "MULTIPLY"
    scale.inputs[1].default_value = 0.25  # white at 4 m/s
    ramp.color_ramp.elements[0].color = (0.02, 0.12, 0.35, 1)
    ramp.color_ramp.elements[1].color = (0.85, 0.93, 1.0, 1)
    links.new(speed.outputs["Fac"], scale.inputs[0])
    links.new(scale.outputs[0], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], surface.inputs["Base Color"])
    links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return material


def make_spheres(thing, radius, material):
    """A modifier that turns vertices without faces into spheres, which Cycles draws as such."""
    group = bpy.data.node_groups.new("Fondue particles", "GeometryNodeTree")
    if hasattr(group, "interface"):  # Blender 4
        group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    kinds = ("NodeGroupInput", "GeometryNodeMeshToPoints", "GeometryNodeSetMaterial", "NodeGroupOutput")
    start, points, paint, end = (group.nodes.new(kind) for kind in kinds)
    for place, node in enumerate((start, points, paint, end)):
        node.location = (220 * place, 0)
    points.inputs["Radius"].default_value = radius
    paint.inputs["Material"].default_value = material
    group.links.new(start.outputs[0], points.inputs[0])
    group.links.new(points.outputs[0], paint.inputs["Geometry"])
    group.links.new(paint.outputs[0], end.inputs[0])
    thing.modifiers.new("Particles", "NODES").node_group = group


def load(folder, radius=None, name="Fondue", gltf=None):
    """Makes the object, sets the length and rate of the animation, and shows the present frame."""
    listing = frames_in(folder)
    if not listing:
        raise ValueError(f"{folder} has no frame_*.ply: make them with fondue export RUN --format ply")
    scene = bpy.context.scene
    thing = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    thing[FOLDER] = str(Path(folder).resolve())
    _listings.pop(thing[FOLDER], None)
    scene.collection.objects.link(thing)
    spacing = scene_number(folder, "spacing") or 0.02
    materials = matter_materials(gltf, spacing) if gltf else [make_material()]
    for material in materials:
        thing.data.materials.append(material)
    scene.frame_start, scene.frame_end = min(listing), max(listing)
    rate = scene_number(folder, "frames_per_second")
    if rate:
        scene.render.fps, scene.render.fps_base = math.ceil(rate), math.ceil(rate) / rate
    # A frame must not be exchanged while Blender's windows draw it.
    scene.render.use_lock_interface = True
    show(thing, scene.frame_current)
    if not any(Ply(path).faces for path in (listing[min(listing)], listing[max(listing)])):
        make_spheres(thing, radius or 0.55 * spacing, materials[0])
    return thing


def add_to_menu(menu, context):
    menu.layout.operator("import_scene.fondue_run", text="Fondue run (folder of .ply)")


class ImportFondueRun(bpy.types.Operator):
    """Load the PLY files of a run as one animated object"""

    bl_idname = "import_scene.fondue_run"
    bl_label = "Import Fondue run"
    bl_options = {"REGISTER", "UNDO"}
    menu_entry = staticmethod(add_to_menu)
    directory: bpy.props.StringProperty(subtype="DIR_PATH")

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            load(self.directory)
        except (OSError, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def unregister():
    """Also what an earlier run of this text left behind."""
    for handler in [h for h in bpy.app.handlers.frame_change_pre if h.__name__ == show_fondue_frame.__name__]:
        bpy.app.handlers.frame_change_pre.remove(handler)
    known = getattr(bpy.types, "IMPORT_SCENE_OT_fondue_run", None)
    if known is not None:
        bpy.types.TOPBAR_MT_file_import.remove(known.menu_entry)
        bpy.utils.unregister_class(known)


def register():
    unregister()
    bpy.app.handlers.frame_change_pre.append(show_fondue_frame)
    bpy.utils.register_class(ImportFondueRun)
    bpy.types.TOPBAR_MT_file_import.append(add_to_menu)


# From the command line


def bounds_of(folder):
    """The box around a few frames from the first to the last, which most runs stay in."""
    low, high = [math.inf] * 3, [-math.inf] * 3
    paths = list(frames_in(folder).values())
    for place in {round(k * (len(paths) - 1) / 6) for k in range(7)}:
        ply = Ply(paths[place])
        for axis, name in enumerate("xyz"):
            if ply.vertices:
                values = ply.column(name)
                low[axis], high[axis] = min(low[axis], min(values)), max(high[axis], max(values))
    return (Vector(low), Vector(high)) if low[0] <= high[0] else (Vector((-1, -1, -1)), Vector((1, 1, 1)))


def make_camera(low, high):
    """A camera that sees everything in a box."""
    centre, reach = (low + high) / 2, max((high - low).length / 2, 1e-3)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    view = Vector((0.45, -1, 0.4)).normalized()
    half_angle = math.atan(math.tan(camera.data.angle / 2) * 9 / 16)  # of the shorter side of a wide picture
    camera.location = centre + view * reach / math.sin(half_angle) * 0.85
    camera.rotation_euler = view.to_track_quat("Z", "Y").to_euler()
    camera.data.clip_end = 100 * reach
    camera.data.clip_start = reach / 100
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def make_stage(low, high):
    """A large soft lamp, a sky and a floor for what is in a box."""
    scene = bpy.context.scene
    centre, reach = (low + high) / 2, max((high - low).length / 2, 1e-3)
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "AREA"))
    lamp.data.size, lamp.data.energy = 3 * reach, 300 * reach**2
    lamp.location = centre + 4 * reach * Vector((-0.6, -0.25, 0.75))
    lamp.rotation_euler = (lamp.location - centre).to_track_quat("Z", "Y").to_euler()
    floor_mesh = bpy.data.meshes.new("Floor")
    z = low.z - 1e-3 * reach  # not in the same plane as what stands on it
    floor_mesh.from_pydata([(centre.x + 20 * i * reach, centre.y + 20 * j * reach, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [], [(0, 1, 2, 3)])
    for thing in (lamp, bpy.data.objects.new("Floor", floor_mesh)):
        scene.collection.objects.link(thing)
    scene.world = bpy.data.worlds.new("Fondue")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"]
    sky.inputs["Color"].default_value, sky.inputs["Strength"].default_value = (0.75, 0.82, 0.9, 1), 0.6


def load_scene(path, low, high):
    """Solids, their motion and the camera, as fondue export RUN --format glb has written them. Adds them to the box."""
    try:
        import numpy
    except ImportError:
        sys.exit("Fondue: Blender's glTF importer needs numpy (Debian: apt install python3-numpy)")
    if "bool" not in vars(numpy):  # the importer of Blender 3.4 uses this name, which numpy 1.24 no longer has
        numpy.bool = bool
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(Path(path).resolve()))
    bpy.context.view_layer.update()
    for thing in set(bpy.data.objects) - before:
        if thing.type == "CAMERA":
            bpy.context.scene.camera = thing
        elif thing.type == "MESH":
            for corner in (thing.matrix_world @ Vector(corner) for corner in thing.bound_box):
                low = Vector(map(min, low, corner))
                high = Vector(map(max, high, corner))
    return low, high


def render(path, frame, size, samples, blur):
    scene = bpy.context.scene
    scene.render.use_motion_blur = blur
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", samples
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(Path(path).resolve())
    scene.frame_set(scene.frame_end if frame is None else frame)
    bpy.ops.render.render(write_still=True)


def main(words):
    parser = argparse.ArgumentParser(prog="load_fondue.py", description="Load an exported run of Fondue into Blender")
    parser.add_argument("folder", help="folder of frame_*.ply files")
    parser.add_argument("--radius", type=float, help="radius of particles in metres (default: 0.55 of the spacing)")
    parser.add_argument("--render", metavar="PNG", help="draw one picture with Cycles")
    parser.add_argument("--frame", type=int, help="the frame to draw (default: the last)")
    parser.add_argument("--size", default="1280x720", help="size of the picture (default: 1280x720)")
    parser.add_argument("--samples", type=int, default=64, help="samples a pixel (default: 64)")
    parser.add_argument("--motion-blur", action="store_true", help="open the shutter for half a frame")
    parser.add_argument("--scene", metavar="GLB", help="solids and camera: fondue export RUN --format glb")
    parser.add_argument("--save", metavar="BLEND", help="save a Blender file")
    options = parser.parse_args(words)
    if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", options.size):
        parser.error(f"--size {options.size}: needs width x height, e.g. 1280x720")
    if not bpy.data.filepath:
        # Away with the cube of the empty scene; whoever opened a file of their own keeps everything.
        for thing in list(bpy.context.scene.objects):
            bpy.data.objects.remove(thing)
    register()
    if options.scene and not Path(options.scene).is_file():
        sys.exit(f"Fondue: there is no {options.scene}: make it with fondue export RUN --format glb")
    try:
        load(options.folder, options.radius, gltf=gltf_of(options.scene) if options.scene else None)
    except (OSError, ValueError) as error:
        sys.exit(f"Fondue: {error}")
    if not bpy.data.filepath:
        low, high = bounds_of(options.folder)
        if options.scene:
            low, high = load_scene(options.scene, low, high)
        make_stage(low, high)
        if bpy.context.scene.camera is None:
            make_camera(low, high)
    elif options.scene:
        load_scene(options.scene, *bounds_of(options.folder))
    if options.render:
        render(options.render, options.frame, [int(n) for n in options.size.split("x")], options.samples, options.motion_blur)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(options.save).resolve()))


if __name__ == "__main__":
    if "--" in sys.argv:
        main(sys.argv[sys.argv.index("--") + 1 :])
    else:
        register()
