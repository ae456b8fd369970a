# poke -- numbers written into result files, with the checksums of their blocks.
import zlib

from checking import need

h5py, np = need("h5py", "numpy")


def poke(path, group, variable, changes):
    """Writes numbers into a file and the checksum of their blocks."""
    with h5py.File(path, "r") as file:
        section, names = file[group], names_of(file[group])
        block_points, first_block = int(section.attrs["block_points"]), int(section.attrs["first_block"])
        columns = [(section[v].id.get_offset(), section[v].nbytes) for v in names[names.index("status"):]]
        at, dtype = section[variable].id.get_offset(), section[variable].dtype
        crc, points = file["journal/block_crc32"].id.get_offset(), section["status"].size
    data = bytearray(path.read_bytes())
    for index, value in changes.items():
        data[at + index * dtype.itemsize:at + (index + 1) * dtype.itemsize] = np.array(value, dtype).tobytes()
    for block in range((points + block_points - 1) // block_points):
        begin, end, total = block * block_points, min(points, (block + 1) * block_points), 0
        for offset, size in columns:  # stored trajectories lie evenly among the points
            total = zlib.crc32(data[offset + begin * size // points:offset + end * size // points], total)
        place = crc + 4 * (first_block + block)
        data[place:place + 4] = total.to_bytes(4, "little")
    path.write_bytes(data)


def names_of(group):
    """Names in the order of creation."""
    return sorted(group, key=lambda name: group.id.links.get_info(name.encode()).corder)
