# ccache and mold, where they are installed: neither changes what is built, only how long it takes.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  include(CheckLinkerFlag)
  # GCC knows -fuse-ld=mold from 12.1 on.
  check_linker_flag(CXX "-fuse-ld=mold" TARE_LINKER_TAKES_MOLD)
  if(TARE_LINKER_TAKES_MOLD)
    add_link_options("-fuse-ld=mold")
  endif()
endif()
