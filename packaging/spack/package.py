# package -- a recipe for Spack; the archive is that of packaging/sources.cmake, in the folder where `spack install` is called.
import os

from spack.package import *


class Pendula(CMakePackage):
    """Pendula integrates a mechanical system for every combination of parameters, as OpenCL kernels, and writes one HDF5 file with a
    status and metrics for each."""

    manual_download = True  # the archive is made of the commit: `spack install --no-checksum pendula`
    url = f"file://{os.getcwd()}/pendula-0.2.0.tar.gz"

    license("MIT")

    version("0.2.0")

    variant("mpi", default=False, description="Let the processes of mpirun or srun share a run")
    variant("native", default=True, description="Compile the plain loops of `pendula bench` for this processor")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5 +hl ~mpi", when="~mpi")
    depends_on("hdf5 +hl", when="+mpi")
    depends_on("libyaml")
    depends_on("netlib-lapack +lapacke")
    depends_on("ocl-icd")
    depends_on("opencl-c-headers", type="build")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("pocl", type="run")
    depends_on("gnuplot", type="run")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define_from_variant("PENDULA_MPI", "mpi"),
            self.define_from_variant("PENDULA_HAS_NATIVE", "native"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_version(self):
        Executable(self.prefix.bin.pendula)("--version")
