# What the CPU engines need beside the globbed sources: the interpreter's loops once per instruction set, and the vector
# prelude as a string for generated text. Included after the target `frit` is defined.

# Same arithmetic in every engine: integers wrap, nothing is contracted, sqrt and friends leave errno alone.
set(frit_lane_flags -fwrapv -ffp-contract=off -fno-math-errno)
if(FRIT_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Checks as calls: in line, these files alone compile for minutes.
    list(APPEND frit_lane_flags --param=asan-instrumentation-with-call-threshold=0)
endif()
# UBSan doubles what these files take to compile: a run of samples goes without it, and only ./dev test --all --sanitize
# looks for undefined behaviour in the loops.
if(FRIT_SANITIZE MATCHES undefined AND FRIT_TEST_SHARES GREATER 1)
    list(APPEND frit_lane_flags -fno-sanitize=undefined)
endif()
if(FRIT_SANITIZE MATCHES fuzzer)  # what is fuzzed reads files, and never comes here
    list(APPEND frit_lane_flags -fno-sanitize=all)
endif()

set(frit_isa_dir ${PROJECT_SOURCE_DIR}/src/cpu/isa)
target_sources(frit PRIVATE ${frit_isa_dir}/baseline.cpp)
set_source_files_properties(${frit_isa_dir}/baseline.cpp PROPERTIES COMPILE_OPTIONS "${frit_lane_flags}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_sources(frit PRIVATE ${frit_isa_dir}/avx2.cpp ${frit_isa_dir}/avx512.cpp)
    set_source_files_properties(${frit_isa_dir}/baseline.cpp PROPERTIES COMPILE_OPTIONS "${frit_lane_flags};-march=x86-64")
    set_source_files_properties(${frit_isa_dir}/avx2.cpp PROPERTIES COMPILE_OPTIONS "${frit_lane_flags};-march=x86-64-v3")
    set_source_files_properties(${frit_isa_dir}/avx512.cpp PROPERTIES COMPILE_OPTIONS "${frit_lane_flags};-march=x86-64-v4")
endif()
file(GLOB frit_prelude CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fusion/codegen/host_prelude*.hpp)
set_property(SOURCE ${frit_isa_dir}/baseline.cpp ${frit_isa_dir}/avx2.cpp ${frit_isa_dir}/avx512.cpp
    APPEND PROPERTY OBJECT_DEPENDS ${frit_isa_dir}/loops.inc ${frit_isa_dir}/math.inc ${frit_isa_dir}/steps.inc
    ${frit_isa_dir}/reductions.inc ${frit_prelude})
set_source_files_properties(${frit_isa_dir}/baseline.cpp ${frit_isa_dir}/avx2.cpp ${frit_isa_dir}/avx512.cpp
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # for other processors than the rest

# The preludes as C++ raw strings, split because compilers bound the length of one literal.
set(frit_generated_dir ${PROJECT_BINARY_DIR}/generated)
function(frit_embed name)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
    set(frit_text)
    foreach(file ${ARGN})
        file(READ ${file} text)
        string(APPEND frit_text "${text}")
    endforeach()
    string(REGEX REPLACE "\n}\n" "\n}\n)frit\"\nR\"frit(" frit_text "${frit_text}")
    file(CONFIGURE OUTPUT ${frit_generated_dir}/${name} CONTENT "R\"frit(@frit_text@)frit\"\n" @ONLY)
endfunction()
set(frit_codegen_dir ${PROJECT_SOURCE_DIR}/fusion/codegen)
frit_embed(frit_host_prelude.inc ${frit_codegen_dir}/host_prelude_types.hpp
    ${frit_codegen_dir}/host_prelude_vectors.hpp ${frit_codegen_dir}/host_prelude.hpp
    ${frit_codegen_dir}/host_prelude_division.hpp ${frit_codegen_dir}/host_prelude_math.hpp
    ${frit_codegen_dir}/host_prelude_part.hpp ${frit_codegen_dir}/host_prelude_kernel.hpp)
frit_embed(frit_host_prelude_half.inc ${frit_codegen_dir}/host_prelude_half.hpp)
frit_embed(frit_host_prelude_complex.inc ${frit_codegen_dir}/host_prelude_complex.hpp)
target_include_directories(frit PRIVATE ${frit_generated_dir})

# Worker threads live until the process ends, so the code they run must not be unloaded before.
get_target_property(frit_type frit TYPE)
if(frit_type STREQUAL SHARED_LIBRARY)
    target_link_options(frit PRIVATE -Wl,-z,nodelete)
endif()
