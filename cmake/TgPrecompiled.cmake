# Precompiled headers, each compiled once for all targets that use it.

# CMake's default option passes the path after -Xclang, which keeps ccache from
# recognizing that it is the same in every clone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
endif()

# tg_add_precompiled(<name> <header> [BASE <name>] [LINK <libraries>...])
# Adds a target whose precompiled header others use by REUSE_FROM. With a base
# it includes that header without compiling it again.
function(tg_add_precompiled name header)
  cmake_parse_arguments(ARG "" "BASE" "LINK" ${ARGN})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(WRITE ${source} "")
  add_library(${name} STATIC ${source})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE <${header}>)
  # The result contains paths of its clone, so each clone compiles its own.
  set_target_properties(${name} PROPERTIES
    C_COMPILER_LAUNCHER ""
    CXX_COMPILER_LAUNCHER "bash;${PROJECT_SOURCE_DIR}/cmake/precompile.sh"
    TG_PRECOMPILED ${directory}/cmake_pch.hxx.pch)
  if(ARG_BASE)
    get_target_property(base ${ARG_BASE} TG_PRECOMPILED)
    set_source_files_properties(${directory}/cmake_pch.hxx.cxx PROPERTIES
      COMPILE_OPTIONS "-include-pch;${base}" OBJECT_DEPENDS ${base})
    add_dependencies(${name} ${ARG_BASE})
  endif()
endfunction()
