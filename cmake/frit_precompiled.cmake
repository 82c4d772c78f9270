# Headers that most files of a target include, compiled once for all of them. A compiler cache looks into no such header and
# saves more: with one there are none, and what a file forgets to include shows.
set(frit_precompiled ${PROJECT_IS_TOP_LEVEL})
if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(frit_precompiled OFF)
endif()
option(FRIT_PRECOMPILED "Precompile the headers that most of frit's files include" ${frit_precompiled})
mark_as_advanced(FRIT_PRECOMPILED)

# frit_precompile(<target> PRIVATE <headers...>): or REUSE_FROM another target of the same options.
function(frit_precompile target)
    if(FRIT_PRECOMPILED)
        target_precompile_headers(${target} ${ARGN})
        # g++ forgets in them for which lines of its standard library it does not warn.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>)
    endif()
endfunction()
