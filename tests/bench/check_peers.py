# check_peers -- the comparison with other codes reads the same states with h5py and without it.
import sys

from checking import PROGRAM, ROOT, check, folder, main, need, need_program

sys.path.insert(0, str(ROOT / "tests/bench/peers"))
import program  # noqa: E402
import workloads  # noqa: E402


def states(workload, reader):
    """Final states of four systems of a workload, read by h5py or, where that is None, by h5dump."""
    program.h5py = reader
    values = workload.values(4)
    return program.Program(PROGRAM, "reference", folder).states(workload, values, workload.method, workload.step, 10)


def check_readers():
    for workload in (workloads.WORKLOADS["W1"], workloads.WORKLOADS["W6"]):
        by_library, by_program = states(workload, h5py), states(workload, None)
        size = workload.dofs * (1 if workload.first_order else 2)
        check(by_library == by_program and {len(row) for row in by_library} == {size}, f"{workload.name}: {by_library} and {by_program}")
        check(all(abs(number) < 1e3 for row in by_library for number in row), f"{workload.name}: {by_library}")


h5py = need("h5py")
need_program("h5dump", "hdf5-tools")
main(check_readers, fine="states are the same by h5py and by h5dump")
