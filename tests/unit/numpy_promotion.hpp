// What NumPy 2.4.6 gives, cell by cell: printed once by NumPy itself (each table says by which expression; x and y are
// arrays of ones of the row's and the column's dtype) and never computed here. "error" stands for a TypeError.
#pragma once

namespace numpy {

// np.result_type(x, y)
inline constexpr const char* result_type = R"(
-          bool       int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
bool       bool       int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
int8       int8       int8       int16      int32      int64      int16      int32      int64      float64    float16    float32    float64    complex64  complex128
int16      int16      int16      int16      int32      int64      int16      int32      int64      float64    float32    float32    float64    complex64  complex128
int32      int32      int32      int32      int32      int64      int32      int32      int64      float64    float64    float64    float64    complex128 complex128
int64      int64      int64      int64      int64      int64      int64      int64      int64      float64    float64    float64    float64    complex128 complex128
uint8      uint8      int16      int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
uint16     uint16     int32      int32      int32      int64      uint16     uint16     uint32     uint64     float32    float32    float64    complex64  complex128
uint32     uint32     int64      int64      int64      int64      uint32     uint32     uint32     uint64     float64    float64    float64    complex128 complex128
uint64     uint64     float64    float64    float64    float64    uint64     uint64     uint64     uint64     float64    float64    float64    complex128 complex128
float16    float16    float16    float32    float64    float64    float16    float32    float64    float64    float16    float32    float64    complex64  complex128
float32    float32    float32    float32    float64    float64    float32    float32    float64    float64    float32    float32    float64    complex64  complex128
float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    complex128 complex128
complex64  complex64  complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex64  complex128
complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128
)";

// (x + y).dtype; x * y, np.maximum, np.minimum, np.fmax, np.where(c, x, y) give the same
inline constexpr const char* add = R"(
-          bool       int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
bool       bool       int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
int8       int8       int8       int16      int32      int64      int16      int32      int64      float64    float16    float32    float64    complex64  complex128
int16      int16      int16      int16      int32      int64      int16      int32      int64      float64    float32    float32    float64    complex64  complex128
int32      int32      int32      int32      int32      int64      int32      int32      int64      float64    float64    float64    float64    complex128 complex128
int64      int64      int64      int64      int64      int64      int64      int64      int64      float64    float64    float64    float64    complex128 complex128
uint8      uint8      int16      int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
uint16     uint16     int32      int32      int32      int64      uint16     uint16     uint32     uint64     float32    float32    float64    complex64  complex128
uint32     uint32     int64      int64      int64      int64      uint32     uint32     uint32     uint64     float64    float64    float64    complex128 complex128
uint64     uint64     float64    float64    float64    float64    uint64     uint64     uint64     uint64     float64    float64    float64    complex128 complex128
float16    float16    float16    float32    float64    float64    float16    float32    float64    float64    float16    float32    float64    complex64  complex128
float32    float32    float32    float32    float64    float64    float32    float32    float64    float64    float32    float32    float64    complex64  complex128
float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    complex128 complex128
complex64  complex64  complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex64  complex128
complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128
)";

// (x - y).dtype
inline constexpr const char* subtract = R"(
-          bool       int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
bool       error      int8       int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
int8       int8       int8       int16      int32      int64      int16      int32      int64      float64    float16    float32    float64    complex64  complex128
int16      int16      int16      int16      int32      int64      int16      int32      int64      float64    float32    float32    float64    complex64  complex128
int32      int32      int32      int32      int32      int64      int32      int32      int64      float64    float64    float64    float64    complex128 complex128
int64      int64      int64      int64      int64      int64      int64      int64      int64      float64    float64    float64    float64    complex128 complex128
uint8      uint8      int16      int16      int32      int64      uint8      uint16     uint32     uint64     float16    float32    float64    complex64  complex128
uint16     uint16     int32      int32      int32      int64      uint16     uint16     uint32     uint64     float32    float32    float64    complex64  complex128
uint32     uint32     int64      int64      int64      int64      uint32     uint32     uint32     uint64     float64    float64    float64    complex128 complex128
uint64     uint64     float64    float64    float64    float64    uint64     uint64     uint64     uint64     float64    float64    float64    complex128 complex128
float16    float16    float16    float32    float64    float64    float16    float32    float64    float64    float16    float32    float64    complex64  complex128
float32    float32    float32    float32    float64    float64    float32    float32    float64    float64    float32    float32    float64    complex64  complex128
float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    complex128 complex128
complex64  complex64  complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex128 complex64  complex64  complex128 complex64  complex128
complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128
)";

// np.floor_divide(x, y).dtype; np.remainder gives the same
inline constexpr const char* floor_divide = R"(
-          bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
bool       int8    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 error     error
int8       int8    int8    int16   int32   int64   int16   int32   int64   float64 float16 float32 float64 error     error
int16      int16   int16   int16   int32   int64   int16   int32   int64   float64 float32 float32 float64 error     error
int32      int32   int32   int32   int32   int64   int32   int32   int64   float64 float64 float64 float64 error     error
int64      int64   int64   int64   int64   int64   int64   int64   int64   float64 float64 float64 float64 error     error
uint8      uint8   int16   int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 error     error
uint16     uint16  int32   int32   int32   int64   uint16  uint16  uint32  uint64  float32 float32 float64 error     error
uint32     uint32  int64   int64   int64   int64   uint32  uint32  uint32  uint64  float64 float64 float64 error     error
uint64     uint64  float64 float64 float64 float64 uint64  uint64  uint64  uint64  float64 float64 float64 error     error
float16    float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
float32    float32 float32 float32 float64 float64 float32 float32 float64 float64 float32 float32 float64 error     error
float64    float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
complex64  error   error   error   error   error   error   error   error   error   error   error   error   error     error
complex128 error   error   error   error   error   error   error   error   error   error   error   error   error     error
)";

// (x < y).dtype; the other comparisons and np.logical_and give the same
inline constexpr const char* less = R"(
-          bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128
bool       bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
int8       bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
int16      bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
int32      bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
int64      bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
uint8      bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
uint16     bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
uint32     bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
uint64     bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
float16    bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
float32    bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
float64    bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
complex64  bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
complex128 bool bool bool  bool  bool  bool  bool   bool   bool   bool    bool    bool    bool      bool
)";

// (x & y).dtype; | and ^ give the same
inline constexpr const char* bitwise_and = R"(
-          bool   int8  int16 int32 int64 uint8  uint16 uint32 uint64 float16 float32 float64 complex64 complex128
bool       bool   int8  int16 int32 int64 uint8  uint16 uint32 uint64 error   error   error   error     error
int8       int8   int8  int16 int32 int64 int16  int32  int64  error  error   error   error   error     error
int16      int16  int16 int16 int32 int64 int16  int32  int64  error  error   error   error   error     error
int32      int32  int32 int32 int32 int64 int32  int32  int64  error  error   error   error   error     error
int64      int64  int64 int64 int64 int64 int64  int64  int64  error  error   error   error   error     error
uint8      uint8  int16 int16 int32 int64 uint8  uint16 uint32 uint64 error   error   error   error     error
uint16     uint16 int32 int32 int32 int64 uint16 uint16 uint32 uint64 error   error   error   error     error
uint32     uint32 int64 int64 int64 int64 uint32 uint32 uint32 uint64 error   error   error   error     error
uint64     uint64 error error error error uint64 uint64 uint64 uint64 error   error   error   error     error
float16    error  error error error error error  error  error  error  error   error   error   error     error
float32    error  error error error error error  error  error  error  error   error   error   error     error
float64    error  error error error error error  error  error  error  error   error   error   error     error
complex64  error  error error error error error  error  error  error  error   error   error   error     error
complex128 error  error error error error error  error  error  error  error   error   error   error     error
)";

// (x << y).dtype; >> gives the same
inline constexpr const char* left_shift = R"(
-          bool   int8  int16 int32 int64 uint8  uint16 uint32 uint64 float16 float32 float64 complex64 complex128
bool       int8   int8  int16 int32 int64 uint8  uint16 uint32 uint64 error   error   error   error     error
int8       int8   int8  int16 int32 int64 int16  int32  int64  error  error   error   error   error     error
int16      int16  int16 int16 int32 int64 int16  int32  int64  error  error   error   error   error     error
int32      int32  int32 int32 int32 int64 int32  int32  int64  error  error   error   error   error     error
int64      int64  int64 int64 int64 int64 int64  int64  int64  error  error   error   error   error     error
uint8      uint8  int16 int16 int32 int64 uint8  uint16 uint32 uint64 error   error   error   error     error
uint16     uint16 int32 int32 int32 int64 uint16 uint16 uint32 uint64 error   error   error   error     error
uint32     uint32 int64 int64 int64 int64 uint32 uint32 uint32 uint64 error   error   error   error     error
uint64     uint64 error error error error uint64 uint64 uint64 uint64 error   error   error   error     error
float16    error  error error error error error  error  error  error  error   error   error   error     error
float32    error  error error error error error  error  error  error  error   error   error   error     error
float64    error  error error error error error  error  error  error  error   error   error   error     error
complex64  error  error error error error error  error  error  error  error   error   error   error     error
complex128 error  error error error error error  error  error  error  error   error   error   error     error
)";

// np.arctan2(x, y).dtype; np.hypot, np.copysign give the same
inline constexpr const char* arctan2 = R"(
-          bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
bool       float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
int8       float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
int16      float32 float32 float32 float64 float64 float32 float32 float64 float64 float32 float32 float64 error     error
int32      float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
int64      float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
uint8      float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
uint16     float32 float32 float32 float64 float64 float32 float32 float64 float64 float32 float32 float64 error     error
uint32     float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
uint64     float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
float16    float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
float32    float32 float32 float32 float64 float64 float32 float32 float64 float64 float32 float32 float64 error     error
float64    float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 error     error
complex64  error   error   error   error   error   error   error   error   error   error   error   error   error     error
complex128 error   error   error   error   error   error   error   error   error   error   error   error   error     error
)";

// np.sqrt(x).dtype and so on; neg is -x, pos +x, bit_not ~x
inline constexpr const char* unary = R"(
-           bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
sqrt        float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 complex64 complex128
exp         float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 complex64 complex128
rint        float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 complex64 complex128
fabs        float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 error     error
abs         bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 float32   float64
sign        error   int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
neg         error   int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
pos         error   int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
square      int8    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
bit_not     bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  error   error   error   error     error
logical_not bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
isnan       bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
isinf       bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
isfinite    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
signbit     bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    error     error
real        bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 float32   float64
imag        bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 float32   float64
conj        int8    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
arg         float64 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 float32   float64
)";

// np.sum(x).dtype and so on
inline constexpr const char* reductions = R"(
-       bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
sum     int64   int64   int64   int64   int64   uint64  uint64  uint64  uint64  float16 float32 float64 complex64 complex128
prod    int64   int64   int64   int64   int64   uint64  uint64  uint64  uint64  float16 float32 float64 complex64 complex128
min     bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
max     bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
any     bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
all     bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool    bool      bool
mean    float64 float64 float64 float64 float64 float64 float64 float64 float64 float16 float32 float64 complex64 complex128
cumsum  int64   int64   int64   int64   int64   uint64  uint64  uint64  uint64  float16 float32 float64 complex64 complex128
cumprod int64   int64   int64   int64   int64   uint64  uint64  uint64  uint64  float16 float32 float64 complex64 complex128
sort    bool    int8    int16   int32   int64   uint8   uint16  uint32  uint64  float16 float32 float64 complex64 complex128
argsort int64   int64   int64   int64   int64   int64   int64   int64   int64   int64   int64   int64   int64     int64
)";

// (x + s).dtype of Python scalars s; s + x, np.where(c, x, s) give the same
inline constexpr const char* weak = R"(
-          True       1          1.0        1j
bool       bool       int64      float64    complex128
int8       int8       int8       float64    complex128
int16      int16      int16      float64    complex128
int32      int32      int32      float64    complex128
int64      int64      int64      float64    complex128
uint8      uint8      uint8      float64    complex128
uint16     uint16     uint16     float64    complex128
uint32     uint32     uint32     float64    complex128
uint64     uint64     uint64     float64    complex128
float16    float16    float16    float16    complex64
float32    float32    float32    float32    complex64
float64    float64    float64    float64    complex128
complex64  complex64  complex64  complex64  complex64
complex128 complex128 complex128 complex128 complex128
)";

}  // namespace numpy
