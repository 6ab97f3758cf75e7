# What every target of the project has in common.

find_program(TG_CCACHE ccache)
if(TG_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${TG_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TG_CCACHE})
endif()

add_library(TgOptions INTERFACE)
target_compile_options(TgOptions INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter -fno-math-errno)
target_include_directories(TgOptions INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Lets ccache reuse results that were compiled with a precompiled header.
  target_compile_options(TgOptions INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
