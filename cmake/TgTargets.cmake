# Options that every target of the project shares.

find_program(TG_CCACHE ccache)
if(TG_CCACHE)
  # ccache needs this sloppiness to reuse objects made with a precompiled
  # header. Paths below the clone are relative to it, so that clones share
  # results.
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=include_file_ctime,include_file_mtime,pch_defines,time_macros
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
    ${TG_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

add_library(TgOptions INTERFACE)
target_compile_options(TgOptions INTERFACE
  -Wall -Wextra -Wno-unused-parameter -fno-math-errno
  $<$<BOOL:${TG_WERROR}>:-Werror>)
target_include_directories(TgOptions INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Lets ccache reuse objects compiled with a precompiled header.
  target_compile_options(TgOptions INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
