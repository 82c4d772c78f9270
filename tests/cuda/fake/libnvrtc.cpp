// An NVRTC without any of its functions, as one too old would be: see test_no_nvrtc.cpp.
