# Defines how tests and examples of the C++ front end are compiled.

set(TG_PROGRAM_OPTIONS "" CACHE STRING
  "Compile options of tests and examples of the C++ front, as -O0")

tg_add_precompiled(TgProgramPch cmake/ProgramPrecompiled.h LINK TgOptions)
target_include_directories(TgProgramPch PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(TgProgramPch PRIVATE ${TG_PROGRAM_OPTIONS})

# tg_precompile_programs(<directory> <precompiled> [EXCEPT <program>...])
# Gives every program below a directory that links the C++ front end a
# precompiled header, and the compile options of programs.
function(tg_precompile_programs directory precompiled)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  get_property(directories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS directories)
    tg_precompile_programs(${below} ${precompiled} EXCEPT ${ARG_EXCEPT})
  endforeach()
  get_property(programs DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  list(REMOVE_ITEM programs ${ARG_EXCEPT})
  foreach(program IN LISTS programs)
    get_target_property(type ${program} TYPE)
    get_target_property(libraries ${program} LINK_LIBRARIES)
    if(NOT type STREQUAL "EXECUTABLE" OR
       NOT libraries MATCHES "(^|;)(Tg|TgCompiler|TgBenchNetworks)(;|$)")
      continue()
    endif()
    target_precompile_headers(${program} REUSE_FROM ${precompiled})
    # The precompiled header is compiled with -fPIC; programs default to -fPIE.
    target_compile_options(${program} PRIVATE ${TG_PROGRAM_OPTIONS} -fPIC)
  endforeach()
endfunction()
