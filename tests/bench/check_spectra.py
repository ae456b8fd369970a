# check_spectra -- the study of response spectra of docs/results: the peaks of 40 records are those of the exact motion.
import shutil
import sys

from checking import PROGRAM, ROOT, check, folder, main, need, need_compiler

_, np = need("h5py", "numpy")
sys.path.insert(0, str(ROOT / "tests/bench"))
import spectra  # noqa: E402

CHANGES = [word for change in ("parameters.T={log: [0.2, 5, 4]}", "parameters.zeta=[0.02, 0.2]") for word in ("-s", change)]


def check_peaks():
    """Peak displacement, absolute acceleration and shear of every record, by the recurrence at the same steps."""
    rows = spectra.write_records(folder / "records.h5")
    shutil.copy(spectra.SWEEP, folder)
    axes, peaks, _ = spectra.run_pendula(PROGRAM, "native", folder, *CHANGES)
    right = spectra.exact(rows, axes[2], axes[1])
    check(peaks.shape == (40, 2, 4, 3), f"shape {peaks.shape}")
    check(np.all(np.abs(peaks / right - 1.0) < 2e-4), f"peaks apart by {np.max(np.abs(peaks / right - 1.0)):.1e}")
    scale = np.max(np.abs(rows), axis=1)
    check(np.all(np.abs(scale / (9.81 * (0.1 + 0.5 * np.arange(40) / 39)) - 1.0) < 1e-12), "records have their peak")


need_compiler()
main(check_peaks, fine="response spectra are those of the exact motion")
