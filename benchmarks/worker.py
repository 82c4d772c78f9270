"""What peers in Python share: a worker's side of the line protocol (worker.hpp), inputs, and what results are compared by.

  prepare WORKLOAD f32|f64 N  ->  the checksum of the result
  time CALLS, processor CALLS ->  seconds that so many calls took, by the clock or of processor time
"""
import sys
import time

import numpy as np


def sequence(n, low, high, step):
    t = np.arange(n, dtype=np.float64) * step
    return low + (high - low) * (t - np.floor(t))


def checksum(result):
    values = np.ravel(result).astype(np.float64)
    t = np.arange(values.size, dtype=np.float64) * 0.3027756377319946
    return float(np.sum(values * values * (0.5 + t - np.floor(t))) / values.size)


def serve(prepare):
    """@param prepare  of a workload, an element type and n: one call, and the checksum of what it computes"""
    call = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "prepare":
            call = None  # frees the memory of the one before
            call, value = prepare(words[1], words[2], int(words[3]))
            print(value, flush=True)
        else:
            clock = time.process_time if words[0] == "processor" else time.perf_counter
            start = clock()
            for _ in range(int(words[1])):
                call()
            print(clock() - start, flush=True)
