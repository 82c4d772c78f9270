#!/usr/bin/env python3
"""Writes npz/*.npz for test_npz.cpp, with real NumPy; run by hand when cases are added (made with NumPy 1.24.2)."""
import pathlib
import zipfile

import numpy as np

OUT = pathlib.Path(__file__).parent / "npz"
OUT.mkdir(exist_ok=True)
for old in OUT.glob("*.npz"):
    old.unlink()
ARRAYS = {
    "x": np.arange(6.0).reshape(2, 3),
    "k": np.arange(4, dtype=np.int32) - 2,
    "big": np.array([1, 2, 70000], ">u4"),
    "fortran": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "mask": np.array([True, False, True]),
    "rank_0": np.int64(-7),
    "none": np.zeros((0, 3)),
    "a/b": np.ones(2, np.uint8),
    "\u00fc": np.ones(1, np.int16),
}
np.savez(OUT / "stored.npz", **ARRAYS)
np.savez_compressed(OUT / "deflated.npz", **ARRAYS)
np.savez_compressed(OUT / "long.npz", x=np.arange(20000) % 100)
np.savez(OUT / "nothing.npz")
np.savez(OUT / "float16.npz", x=np.ones(3), h=np.ones(3, np.float16))

# What Python writes where 32 bits do not do, for small files.
limits = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 10, 1
np.savez(OUT / "zip64.npz", **ARRAYS)
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limits
small = (OUT / "zip64.npz").read_bytes()  # whose last record says the numbers that do fit, too
(OUT / "zip64.npz").write_bytes(small[:-14] + 12 * b"\xff" + small[-2:])

with zipfile.ZipFile(OUT / "comment.npz", "w") as file:
    file.write(OUT.parent / "npy" / "rank_0.npy", "x.npy")
    file.comment = b"PK\5\6 is how an end begins" + 100 * b"."
with zipfile.ZipFile(OUT / "text.npz", "w") as file:
    file.write(OUT.parent / "npy" / "rank_0.npy", "x.npy")
    file.writestr("readme.txt", "no array")
with zipfile.ZipFile(OUT / "bzip2.npz", "w", zipfile.ZIP_BZIP2) as file:
    file.write(OUT.parent / "npy" / "rank_0.npy", "x.npy")
with zipfile.ZipFile(OUT / "twice.npz", "w") as file:
    for _ in range(2):
        file.write(OUT.parent / "npy" / "rank_0.npy", "x.npy")
print(len(list(OUT.glob("*.npz"))), "files,", sum(f.stat().st_size for f in OUT.glob("*.npz")), "bytes")
