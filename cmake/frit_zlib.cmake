# zlib, which .npz files are packed with. Without it the library is whole but for them, and their functions say so. Included
# after the target `frit` is defined.
find_package(ZLIB QUIET)
if(ZLIB_FOUND)
    target_link_libraries(frit PRIVATE ZLIB::ZLIB)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/io/npz.cpp APPEND PROPERTY COMPILE_DEFINITIONS FRIT_HAS_ZLIB)
else()
    message(STATUS "frit: no .npz files: zlib not found (Debian, Ubuntu: zlib1g-dev)")
endif()
