# The kernels for many small problems as C++ raw strings: NVRTC compiles them at run time, for one size and form each. Included
# behind frit_cpu.cmake, which says how a file becomes a string.
set(frit_small_dir ${PROJECT_SOURCE_DIR}/src/cuda/small)
foreach(frit_part numbers solve rotations svd eigh exchanges real_rows)
    frit_embed(frit_small_${frit_part}.inc ${frit_small_dir}/${frit_part}.cuh)
endforeach()
