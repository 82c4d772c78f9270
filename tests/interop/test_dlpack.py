"""DLPack between frit and the array libraries of Python, through the C interface of interop.cpp.

usage: test_dlpack.py LIBRARY    (build/.../libfrit_interop_test.so)

NumPy on the CPU, PyTorch and CuPy on cuda:0, each where it can be imported. Exits with 77 if nothing could be tested.
"""
import ctypes
import gc
import importlib
import resource
import sys
import unittest
import weakref

P = ctypes.c_void_p
lib = ctypes.CDLL(sys.argv.pop(1))
for name, result, arguments in [
    ("error", ctypes.c_char_p, []),
    ("use", ctypes.c_int, [ctypes.c_char_p]),
    ("make", P, [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64]),
    ("free", None, [P]),
    ("export", P, [P, ctypes.c_int]),
    ("destroy_capsule", None, [P]),
    ("import", P, [P, ctypes.c_int]),
    ("compute", P, [P]),
    ("address", ctypes.c_size_t, [P]),
    ("live_bytes", ctypes.c_int64, []),
    ("bytes_moved", ctypes.c_int64, []),
]:
    function = getattr(lib, "interop_" + name)
    function.restype, function.argtypes = result, arguments

python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [P, ctypes.c_char_p, type(lib.interop_destroy_capsule)]
python.PyCapsule_IsValid.argtypes = [P, ctypes.c_char_p]
python.PyCapsule_GetPointer.restype = P
python.PyCapsule_GetPointer.argtypes = [P, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [P, ctypes.c_char_p]

# By form (versioned or not): capsules keep only the address of their name, so the names live for ever.
NAMES = [b"dltensor", b"dltensor_versioned"]
USED = [b"used_dltensor", b"used_dltensor_versioned"]


def checked(handle):
    if not handle:
        raise RuntimeError(lib.interop_error().decode())
    return handle


class Frit:
    """A frit array as Python's array libraries want to see it."""

    def __init__(self, handle, device):
        self.handle, self.device = checked(handle), device

    def __del__(self):
        if hasattr(self, "handle"):
            lib.interop_free(self.handle)

    @staticmethod
    def make(dtype, rows, columns, device):
        return Frit(lib.interop_make(dtype.encode(), rows, columns), device)

    @staticmethod
    def take(other, device):
        """From any object with __dlpack__."""
        try:
            capsule = other.__dlpack__(max_version=(1, 1))
        except TypeError:  # before DLPack 1.0
            capsule = other.__dlpack__()
        for versioned in (0, 1):
            if python.PyCapsule_IsValid(id(capsule), NAMES[versioned]):
                pointer = python.PyCapsule_GetPointer(id(capsule), NAMES[versioned])
                taken = Frit(lib.interop_import(pointer, versioned), device)
                python.PyCapsule_SetName(id(capsule), USED[versioned])
                return taken
        raise RuntimeError("not a DLPack capsule")

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        versioned = int(max_version is not None and max_version[0] >= 1)
        pointer = checked(lib.interop_export(self.handle, versioned))
        return python.PyCapsule_New(pointer, NAMES[versioned], lib.interop_destroy_capsule)

    def __dlpack_device__(self):
        return (2, 0) if self.device == "cuda:0" else (1, 0)

    def compute(self):
        return Frit(lib.interop_compute(self.handle), self.device)

    def address(self):
        return lib.interop_address(self.handle)


class WithNumPy(unittest.TestCase):
    """What holds for every library; the subclasses say how PyTorch and CuPy spell it."""

    library, device = "numpy", "cpu"
    dtypes = ["int32", "int64", "float32", "float64"]

    @classmethod
    def setUpClass(cls):
        try:
            cls.module = importlib.import_module(cls.library)
        except ImportError as e:
            raise unittest.SkipTest(str(e))
        if not lib.interop_use(cls.device.encode()):
            raise unittest.SkipTest(lib.interop_error().decode())

    # --- as NumPy spells it ---
    def from_frit(self, x):
        return self.module.from_dlpack(x)

    def arange(self, count, dtype):
        return self.module.arange(count, dtype=dtype)

    def pointer(self, a):
        return a.__array_interface__["data"][0]

    def values(self, a):
        return a.tolist()

    def strides(self, a):  # in elements
        return tuple(s // a.itemsize for s in a.strides)

    def dtype(self, a):
        return str(a.dtype)

    def bytes_in_use(self):
        return 0  # of the other library on the device

    # --- the tests ---
    def make(self, dtype="float32", rows=2, columns=3):
        return Frit.make(dtype, rows, columns, self.device)

    def test_export_shares_memory(self):
        for dtype in self.dtypes:
            x = self.make(dtype)
            a = self.from_frit(x)
            self.assertEqual(self.pointer(a), x.address())
            self.assertEqual(self.dtype(a), dtype)
            self.assertEqual(self.values(a), [[0, 1, 2], [3, 4, 5]])
            self.assertEqual(self.strides(a), (3, 1))

    def test_export_of_bool(self):
        x = self.make("bool")
        try:
            a = self.from_frit(x)
        except (RuntimeError, BufferError, TypeError, SystemError) as e:  # NumPy before 1.25 knows no bool there
            self.skipTest("%s %s: %s" % (self.library, self.module.__version__, e))
        self.assertEqual(self.values(a), [[False, True, True], [True, True, True]])
        self.assertEqual(self.values(self.from_frit(Frit.take(a == a, self.device).compute())), [[False] * 3] * 2)

    def test_import_shares_memory(self):
        for dtype in self.dtypes:
            a = self.arange(6, dtype)
            x = Frit.take(a, self.device)
            self.assertEqual(x.address(), self.pointer(a))
            y = self.from_frit(x.compute())
            self.assertEqual(self.values(y), [1, 3, 5, 7, 9, 11])
            self.assertEqual(self.values(a), [0, 1, 2, 3, 4, 5])

    def test_import_of_views(self):
        a = self.arange(24, "float64").reshape(4, 6)
        views = [a.T, a[1:, ::2], a[2], a[3, 5:], a[:, 1:2]]
        if self.library != "torch":  # which has no negative steps
            views += [a[::-1, ::-3]]
        for v in views:
            x = Frit.take(v, self.device)
            self.assertEqual(x.address(), self.pointer(v))
            back = self.from_frit(x)
            self.assertEqual(self.pointer(back), self.pointer(v))
            self.assertEqual(self.values(back), self.values(v))
            self.assertEqual(self.values(self.from_frit(x.compute())), self.values(2 * v + 1))

    def test_import_of_nothing_and_of_one(self):
        for a in (self.arange(0, "float32"), self.arange(3, "float32")[1:2].reshape(())):
            x = Frit.take(a, self.device)
            self.assertEqual(self.values(self.from_frit(x)), self.values(a))

    def test_export_outlives_the_array(self):
        x = self.make("float64", 100, 100)
        a = self.from_frit(x)
        del x
        others = [self.make("float64", 100, 100).compute() for _ in range(3)]  # would take the memory if it were free
        self.assertEqual(float(a[99, 99]), 9999)
        del others

    def test_import_keeps_the_owner(self):
        a = self.arange(1000, "int64")
        gone = weakref.ref(a)
        x = Frit.take(a, self.device)
        y = x.compute()
        del a
        gc.collect()
        self.assertIsNotNone(gone() if self.library == "numpy" else x)  # PyTorch shares the storage, not the object
        self.assertEqual(int(self.from_frit(y)[999]), 1999)
        self.assertEqual(int(self.from_frit(x)[999]), 999)
        del x, y
        gc.collect()
        self.assertIsNone(gone())

    def test_a_capsule_that_nobody_takes(self):
        before = lib.interop_live_bytes()
        x = self.make("float32", 100, 100)
        capsules = [x.__dlpack__(), x.__dlpack__(max_version=(1, 1))]
        del x
        self.assertGreaterEqual(lib.interop_live_bytes(), before + 40000)
        del capsules
        self.assertEqual(lib.interop_live_bytes(), before)

    def test_a_thousand_round_trips_leak_nothing(self):
        size = 1 << 20

        def once():
            y = Frit.take(self.arange(size // 4, "float32"), self.device).compute()
            return float(self.from_frit(y)[3])

        self.assertEqual(once(), 7)
        gc.collect()
        live, other, memory = lib.interop_live_bytes(), self.bytes_in_use(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        a = self.arange(10, "float32")
        references = sys.getrefcount(a)
        for _ in range(1000):
            self.assertEqual(once(), 7)
            Frit.take(a, self.device).compute()
        gc.collect()
        self.assertEqual(sys.getrefcount(a), references)
        self.assertEqual(lib.interop_live_bytes(), live)
        self.assertLessEqual(self.bytes_in_use(), other + 4096)  # a
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory  # KiB; a leak would be 1,000 MiB and more
        self.assertLess(grown, 100 * 1024)

    def test_nothing_crosses_between_host_and_device(self):
        before = lib.interop_bytes_moved()
        a = self.arange(10, "float32")
        self.from_frit(Frit.take(a, self.device).compute())
        self.assertEqual(lib.interop_bytes_moved(), before)


class NumPyOnly(WithNumPy):
    def test_exports_are_read_only(self):
        a = self.from_frit(self.make())
        self.assertFalse(a.flags.writeable)
        with self.assertRaises(ValueError):
            a[0, 0] = 1

    def test_refcounts(self):
        a = self.arange(10, "float32")
        references = sys.getrefcount(a)
        x = Frit.take(a, self.device)
        self.assertEqual(sys.getrefcount(a), references + 1)
        y = self.from_frit(x)  # an export of the import holds it too
        del x
        self.assertEqual(sys.getrefcount(a), references + 1)
        del y
        self.assertEqual(sys.getrefcount(a), references)

    def test_errors_leave_the_capsule_whole(self):
        a = self.arange(3, "complex64")
        references = sys.getrefcount(a)
        with self.assertRaisesRegex(RuntimeError, "complex64"):
            Frit.take(a, self.device)
        gc.collect()
        self.assertEqual(sys.getrefcount(a), references)


class WithTorch(WithNumPy):
    library = "torch"

    def arange(self, count, dtype):
        return self.module.arange(count, dtype=getattr(self.module, dtype), device=self.device)

    def pointer(self, a):
        return a.data_ptr()

    def strides(self, a):
        return a.stride()

    def dtype(self, a):
        return str(a.dtype).replace("torch.", "")


class WithTorchOnCuda(WithTorch):
    device = "cuda:0"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not cls.module.cuda.is_available():
            raise unittest.SkipTest("torch without CUDA")

    def bytes_in_use(self):
        return self.module.cuda.memory_allocated()

    def test_a_reader_on_another_stream(self):
        torch = self.module
        stream = torch.cuda.Stream()
        for k in range(100):
            x = self.make("float32", 1000, 1000)
            with torch.cuda.stream(stream):
                a = self.from_frit(x)
                total = (a * 2).sum()
            del x, a  # given back while the stream still reads: frit waits before it uses the memory again
            y = self.make("float32", 1000, 1000).compute()
            self.assertEqual(float(total), float(torch.arange(1000000, dtype=torch.float32, device=self.device).mul(2).sum()), k)
            del y


class WithCuPy(WithNumPy):
    library, device = "cupy", "cuda:0"

    def pointer(self, a):
        return a.data.ptr

    def bytes_in_use(self):
        return self.module.get_default_memory_pool().used_bytes()


if __name__ == "__main__":
    tests = unittest.TestSuite()
    for case in (NumPyOnly, WithTorch, WithTorchOnCuda, WithCuPy):
        tests.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if not result.wasSuccessful():
        sys.exit(1)
    # A class that is skipped as a whole counts as one skip and no test run.
    sys.exit(77 if result.testsRun == 0 else 0)
