// All of frit. Nothing here includes <iostream>, CUDA or a thread library: what user code pays is about the cost of
// <string>, <vector> and the part of Boost.Hana that holds a tuple.
#pragma once

#include "frit/array.hpp"
#include "frit/config.hpp"
#include "frit/create.hpp"
#include "frit/device.hpp"
#include "frit/dtype.hpp"
#include "frit/error.hpp"
#include "frit/eval.hpp"
#include "frit/host_view.hpp"
#include "frit/index.hpp"
#include "frit/info.hpp"
#include "frit/inspect.hpp"
#include "frit/linalg.hpp"
#include "frit/npy.hpp"
#include "frit/ops.hpp"
#include "frit/print.hpp"
#include "frit/reduce.hpp"
#include "frit/scan.hpp"
#include "frit/shape.hpp"
#include "frit/sort.hpp"
#include "frit/view.hpp"
