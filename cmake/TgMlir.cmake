# Finds LLVM, MLIR and lld 22 and says how our compiler libraries use them.

find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# For tables of our own, beside what MLIR_TABLEGEN_EXE makes.
set(LLVM_TABLEGEN_EXE llvm-tblgen)
find_package(Eigen3 REQUIRED NO_MODULE)

# What mlir-tblgen searches for included files.
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

# CMake's own options hide the paths behind -Xclang, where ccache does not see
# that they are the same in every clone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  set(CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH
    -Xclang -emit-pch -include cmake/MlirPrecompiled.h -x c++-header)
endif()

# The one precompiled header that all compiler libraries share.
file(WRITE ${PROJECT_BINARY_DIR}/TgMlirPch.cpp "")
add_library(TgMlirPch STATIC ${PROJECT_BINARY_DIR}/TgMlirPch.cpp)
target_link_libraries(TgMlirPch PRIVATE TgMlirOptions)
target_precompile_headers(TgMlirPch PRIVATE <cmake/MlirPrecompiled.h>)
# It names files of its clone, so each clone compiles its own; ccache takes this
# sum for its content, which is the same in every clone.
set_target_properties(TgMlirPch PROPERTIES
  CXX_COMPILER_LAUNCHER "" C_COMPILER_LAUNCHER "")
set(TG_PRECOMPILED ${PROJECT_SOURCE_DIR}/cmake/MlirPrecompiled.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${TG_PRECOMPILED})
file(SHA256 ${TG_PRECOMPILED} precompiled)
file(CONFIGURE
  OUTPUT ${PROJECT_BINARY_DIR}/CMakeFiles/TgMlirPch.dir/cmake_pch.hxx.pch.sum
  CONTENT "${precompiled} ${LLVM_PACKAGE_VERSION}\n" @ONLY)

# tg_add_mlir_library(<name> <sources>... [LINK <libraries>...])
# A static library of the compiler.
function(tg_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC TgMlirOptions ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM TgMlirPch)
endfunction()

# tg_add_mlir_executable(<name> <sources>... [LINK <libraries>...])
# A program that includes LLVM or MLIR headers.
function(tg_add_mlir_executable name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE TgMlirOptions ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM TgMlirPch)
  # The precompiled header is compiled so; programs would be with -fPIE.
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()
