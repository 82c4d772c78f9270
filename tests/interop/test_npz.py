"""NumPy's .npz files through frit and back: frit reads what NumPy wrote, NumPy what frit wrote.

usage: test_npz.py LIBRARY    (build/.../libfrit_interop_test.so)

Exits with 77 where there is no NumPy, or frit was built without zlib.
"""
import ctypes
import pathlib
import sys
import tempfile
import unittest
import zipfile

lib = ctypes.CDLL(sys.argv.pop(1))
lib.interop_error.restype = ctypes.c_char_p
lib.interop_copy_npz.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
try:
    import numpy as np
except ImportError:
    print("no NumPy here")
    sys.exit(77)

DTYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


class Npz(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def copied(self, save, **arrays):
        source, copy = self.path / "source.npz", self.path / "copy.npz"
        save(source, **arrays)
        if not lib.interop_copy_npz(str(source).encode(), str(copy).encode()):
            text = lib.interop_error().decode()
            if "has no zlib" in text:
                self.skipTest(text)
            self.fail(text)
        return copy

    def expect_same(self, copy, arrays):
        self.assertIsNone(zipfile.ZipFile(copy).testzip())
        with np.load(copy) as read:
            self.assertEqual(sorted(read.files), sorted(arrays))
            for name, array in arrays.items():
                self.assertEqual(read[name].dtype, array.dtype.newbyteorder("="), name)
                np.testing.assert_array_equal(read[name], array, name)

    def test_every_dtype_and_layout(self):
        arrays = {}
        for dtype in DTYPES:
            for order in "<>":
                for layout in "CF":
                    values = np.arange(24).reshape(2, 3, 4) % 50
                    arrays[f"{dtype}{order}{layout}"] = np.asarray(values.astype(order + dtype), order=layout)
        for save in (np.savez, np.savez_compressed):
            self.expect_same(self.copied(save, **arrays), arrays)

    def test_shapes_and_names(self):
        arrays = {"rank 0": np.array(7), "none": np.zeros((0, 2)), "a/b": np.ones(3), "\u00fc\u4e2d": np.ones((1,) * 5)}
        for save in (np.savez, np.savez_compressed):
            self.expect_same(self.copied(save, **arrays), arrays)
        self.expect_same(self.copied(np.savez), {})

    def test_long_arrays(self):
        generator = np.random.default_rng(1)
        arrays = {"noise": generator.random(300000), "steps": np.arange(500000) // 1000, "zeros": np.zeros(2000000, np.uint8)}
        for save in (np.savez, np.savez_compressed):
            self.expect_same(self.copied(save, **arrays), arrays)

    def test_the_bytes_of_the_arrays_are_those_of_numpy(self):
        arrays = {"x": np.arange(6.0).reshape(2, 3), "m": np.array([True, False])}
        copy = self.copied(np.savez, **arrays)
        ours, theirs = zipfile.ZipFile(copy), zipfile.ZipFile(self.path / "source.npz")
        for name in theirs.namelist():
            self.assertEqual(ours.read(name), theirs.read(name))


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Npz))
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if len(result.skipped) == result.testsRun else 0)
