# The plugin frit_cub: scans and sorts on GPUs, the one part of frit that nvcc compiles. Included after the target `frit`
# is defined. Where there is no nvcc that works with the project's compiler, it is left out, and such calls say so.
option(FRIT_CUB "Build the plugin for scans and sorts on GPUs, where there is nvcc" ON)
set(FRIT_CUDA_ARCHITECTURES "80-real;90" CACHE STRING
    "Architectures of the plugin frit_cub, as CMake's CUDA_ARCHITECTURES; the last with PTX for later GPUs")

set(frit_no_cub "")
if(NOT FRIT_CUB)
    set(frit_no_cub "FRIT_CUB is off")
elseif(FRIT_SANITIZE)
    set(frit_no_cub "nvcc does not know the sanitizers")
elseif(CMAKE_CROSSCOMPILING)
    set(frit_no_cub "cross compiling")
else()
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
        find_program(FRIT_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
        mark_as_advanced(FRIT_NVCC)
        if(FRIT_NVCC)
            set(ENV{CUDACXX} ${FRIT_NVCC})
        endif()
    endif()
    # By the environment, which also the trial project of check_language sees.
    if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
        set(ENV{CUDAHOSTCXX} ${CMAKE_CXX_COMPILER})
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
    else()
        set(frit_no_cub "no nvcc that works with ${CMAKE_CXX_COMPILER}")
    endif()
endif()

if(frit_no_cub)
    message(STATUS "frit: no scans and sorts on GPUs (component frit_cub): ${frit_no_cub}")
else()
    set(frit_cub_dir ${PROJECT_SOURCE_DIR}/src/cuda)
    add_library(frit_cub SHARED ${frit_cub_dir}/cub/plugin.cu ${frit_cub_dir}/cub/scan.cu
        ${frit_cub_dir}/cub/compress.cu ${frit_cub_dir}/cub/places.cu ${frit_cub_dir}/cub/scatter.cu
        ${frit_cub_dir}/cub/scatter_in_order.cu ${frit_cub_dir}/cub/select.cu ${frit_cub_dir}/cub/sort.cu)
    target_include_directories(frit_cub PRIVATE ${PROJECT_SOURCE_DIR})
    # Beside libfrit, which looks for it there by its version.
    get_target_property(frit_cub_version frit SOVERSION)
    set_target_properties(frit_cub PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${frit_cub_version} POSITION_INDEPENDENT_CODE ON
        CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_ARCHITECTURES "${FRIT_CUDA_ARCHITECTURES}"
        CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    if(NOT CMAKE_CUDA_COMPILER_LAUNCHER AND CMAKE_CXX_COMPILER_LAUNCHER)  # ccache knows nvcc
        set_target_properties(frit_cub PROPERTIES CUDA_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
    endif()
    target_compile_options(frit_cub PRIVATE --extended-lambda -Xcompiler=-Wall,-Wextra)
    target_link_options(frit_cub PRIVATE -Wl,--exclude-libs,ALL)
    set_source_files_properties(${frit_cub_dir}/cub.cpp PROPERTIES COMPILE_DEFINITIONS FRIT_HAS_CUB)
    if(FRIT_INSTALL)
        include(GNUInstallDirs)
        install(TARGETS frit_cub LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL NAMELINK_SKIP)
    endif()
endif()
