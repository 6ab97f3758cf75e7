# Finds LLVM, MLIR and lld 22 and defines how compiler libraries use them.

find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# For tables of this project; MLIR_TABLEGEN_EXE makes those of MLIR.
set(LLVM_TABLEGEN_EXE llvm-tblgen)
find_package(Eigen3 REQUIRED NO_MODULE)

# The include path of mlir-tblgen.
include_directories(${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Compile options of every target that includes LLVM or MLIR headers.
add_library(TgMlirOptions INTERFACE)
separate_arguments(TG_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_options(TgMlirOptions INTERFACE
  ${TG_LLVM_DEFINITIONS} -fno-rtti -fno-exceptions)
target_include_directories(TgMlirOptions SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_include_directories(TgMlirOptions INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_link_libraries(TgMlirOptions INTERFACE
  TgOptions Eigen3::Eigen MLIR LLVM)

# The precompiled headers of the dialect tg, and of everything that depends on
# both dialects. They contain no header of tg ops, so that a change of one op
# recompiles only users of its family.
tg_add_precompiled(TgMlirPch cmake/MlirPrecompiled.h LINK TgMlirOptions)
tg_add_precompiled(TgCompilerPch cmake/CompilerPrecompiled.h
  BASE TgMlirPch LINK TgMlirOptions)
add_dependencies(TgCompilerPch TgDialectIncGen TgxDialectIncGen)

# The default precompiled header of the targets in a directory.
set(TG_MLIR_PRECOMPILED TgCompilerPch)

# tg_add_mlir_library(<name> <sources>... [PRECOMPILED <target>]
#                     [LINK <libraries>...])
# Adds a static library of the compiler.
function(tg_add_mlir_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "LINK" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED ${TG_MLIR_PRECOMPILED})
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC TgMlirOptions ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM ${ARG_PRECOMPILED})
endfunction()

# tg_add_mlir_executable(<name> <sources>... [PRECOMPILED <target>]
#                        [LINK <libraries>...])
# Adds a program that includes LLVM or MLIR headers.
function(tg_add_mlir_executable name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "LINK" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED ${TG_MLIR_PRECOMPILED})
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE TgMlirOptions ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM ${ARG_PRECOMPILED})
  # The precompiled header is compiled with -fPIC; programs default to -fPIE.
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()
