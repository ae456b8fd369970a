# disk -- a model of a disk whose power is cut: what was synced stays, of the rest a random part does.
import os
import random

SECTOR = 512


class Inode:
    def __init__(self, data=b""):
        self.durable = bytearray(data)
        self.sectors = {}  # {number: [(offset, bytes), ...]} written and not synced, in order
        self.sizes = []  # that it was given and that are not synced

    def write(self, offset, data):
        end = offset + len(data)
        while offset < end:
            piece = min(end, (offset // SECTOR + 1) * SECTOR)
            self.sectors.setdefault(offset // SECTOR, []).append((offset, data[len(data) - (end - offset):len(data) - (end - piece)]))
            offset = piece

    def resize(self, size, exactly):
        self.sizes.append((size, exactly))

    @staticmethod
    def put(data, offset, piece):
        if len(data) < offset + len(piece):
            data.extend(bytes(offset + len(piece) - len(data)))
        data[offset:offset + len(piece)] = piece

    def kept(self, rng, part):
        """What is found afterwards; of each sector that was written some of its writes, from the first on."""
        data = bytearray(self.durable)
        for size, exactly in self.sizes[:rng.randint(0, len(self.sizes)) if part < 1 else None]:
            if exactly and size < len(data):
                del data[size:]
            self.put(data, size, b"")
        for writes in self.sectors.values():
            if rng.random() < part:
                for offset, piece in writes[:rng.randint(1, len(writes)) if part < 1 else None]:
                    self.put(data, offset, piece)
        return data

    def sync(self):
        self.durable = self.kept(random, 1)
        self.sectors, self.sizes = {}, []


class Disk:
    """A folder. Names change in the order in which they were changed, and are on the disk when the folder was synced."""

    def __init__(self, files, inodes):
        self.inodes = {inodes[name]: Inode(data) for name, data in files.items()}
        self.names = {name: self.inodes[inodes[name]] for name in files}
        self.durable = dict(self.names)
        self.changes = []  # of names, not synced: {name: inode or None}

    def name(self, changes):
        for name, inode in changes.items():
            if inode is None:
                self.names.pop(name, None)
            else:
                self.names[name] = inode
        self.changes.append(changes)

    def apply(self, operation):
        kind, number, offset, flags, paths, data = operation
        path = os.path.normpath(paths[0])
        if kind == "open" and flags & os.O_CREAT and path not in self.names:
            self.inodes[number] = Inode()
            self.name({path: self.inodes[number]})
        elif kind == "open" and flags & os.O_TRUNC:
            self.inodes[number].resize(0, True)
        elif kind == "write":
            self.inodes[number].write(offset, data)
        elif kind in ("ftruncate", "fallocate"):
            self.inodes[number].resize(offset, kind == "ftruncate")
        elif kind == "sync" and path == ".":
            self.durable, self.changes = dict(self.names), []
        elif kind == "sync":
            self.inodes[number].sync()
        elif kind == "unlink":
            self.name({path: None})
        elif kind in ("rename", "link"):
            to = os.path.normpath(paths[1])
            self.name({to: self.names[path]} | ({path: None} if kind == "rename" else {}))

    def durable_files(self):
        """The files that are there when all that was not synced is lost."""
        return {name: bytes(inode.durable) for name, inode in self.durable.items()}

    def cut(self, rng):
        """The files that are found when the power is back."""
        part = rng.choice((0, 0.1, 0.5, 0.9, 1))
        names = dict(self.durable)
        for changes in self.changes[:rng.randint(0, len(self.changes))]:
            names.update(changes)
        return {name: bytes(inode.kept(rng, part)) for name, inode in names.items() if inode is not None}
