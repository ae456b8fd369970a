# seal -- the trailer of a result file written anew, after another program changed the file: the rule of host/store/seal.c.
#
#   seal.py FILE.h5...   seals files that HDF5 programs changed
import pathlib
import struct
import sys
import zlib

MARK = b"PENDULA\n"
TAIL = struct.Struct("<QII8s")  # count of ranges, CRC-32 of the table, CRC-32 of the header, mark
RANGE = struct.Struct("<QQ")  # offset, bytes


def split(data):
    """The bytes of HDF5's file, and the ranges of the trailer behind it; no ranges where there is no trailer."""
    if data[-8:] != MARK:
        return data, []
    count, _, _, _ = TAIL.unpack(data[-TAIL.size:])
    table = data[len(data) - TAIL.size - RANGE.size * count:-TAIL.size]
    return data[:len(data) - TAIL.size - RANGE.size * count], list(RANGE.iter_unpack(table))


def trailer(inside, ranges):
    """The trailer of a file: the header's checksum leaves out the ranges, which are in order."""
    header, place = 0, 0
    for offset, length in [*ranges, (len(inside), 0)]:
        header = zlib.crc32(inside[place:offset], header)
        place = offset + length
    table = b"".join(RANGE.pack(*each) for each in ranges)
    return table + TAIL.pack(len(ranges), zlib.crc32(table, zlib.crc32(struct.pack("<Q", len(ranges)))), header, MARK)


def ranges_of(path):
    """The ranges of a sealed file, to be kept while another program changes it, which cuts the trailer off."""
    return split(pathlib.Path(path).read_bytes())[1]


def seal(path, ranges=None):
    """Seals a file anew: with its own ranges, or these."""
    path = pathlib.Path(path)
    inside, own = split(path.read_bytes())
    kept = [each for each in (own if ranges is None else ranges) if sum(each) <= len(inside)]
    path.write_bytes(inside + trailer(inside, kept))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        seal(name)
