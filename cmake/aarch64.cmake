# Toolchain file: cross-compiles frit for 64-bit Arm with Debian's g++-aarch64-linux-gnu, and runs what was built in qemu-user
# where it is installed. Boost.Hana is headers only; give their place with -DBoost_INCLUDE_DIR.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# Only what is built for the target counts: its C library, and what CMAKE_PREFIX_PATH names.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
list(APPEND CMAKE_FIND_ROOT_PATH ${CMAKE_PREFIX_PATH})

find_program(frit_qemu NAMES qemu-aarch64-static qemu-aarch64)
if(frit_qemu)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${frit_qemu} -L /usr/aarch64-linux-gnu)
endif()
