# NVTX's headers, for the names of formulas in a profiler's timeline. Nothing is linked. Included after the target `frit`
# is defined.
find_path(FRIT_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
    HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include DOC "Where nvtx3/nvToolsExt.h is")
mark_as_advanced(FRIT_NVTX_INCLUDE_DIR)
if(FRIT_NVTX_INCLUDE_DIR)
    # As the compiler's option, because the header is not held to frit's warnings.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cuda/profiler.cpp PROPERTIES
        COMPILE_DEFINITIONS FRIT_HAS_NVTX COMPILE_OPTIONS "-isystem;${FRIT_NVTX_INCLUDE_DIR}")
else()
    message(STATUS "frit: no formulas in profilers' timelines: nvtx3/nvToolsExt.h not found")
endif()
