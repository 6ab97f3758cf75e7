# Precompiled headers, each compiled once for all targets that use it.

# CMake's own option hides the path behind -Xclang, where ccache does not see
# that it is the same in every clone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
endif()

# tg_add_precompiled(<name> <header> [BASE <name>] [LINK <libraries>...])
# A target whose precompiled header others use by REUSE_FROM. With a base it
# holds what that one does, too, which is not compiled again.
function(tg_add_precompiled name header)
  cmake_parse_arguments(ARG "" "BASE" "LINK" ${ARGN})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(WRITE ${source} "")
  add_library(${name} STATIC ${source})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE <${header}>)
  # It names files of its clone, so each clone compiles its own.
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
