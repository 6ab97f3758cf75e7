# Defines what `install` installs: programs, libraries, headers and the CMake
# package, with which find_package(tg) defines the targets tg::<name>. There are
# three components: Runtime, which runs models, Data, which reads examples and
# trains models, and Compiler, which makes models. Without TG_INSTALL, as in a
# project that adds this one, nothing is installed.

include(CMakePackageConfigHelpers)

# tg_install(<target> <component>)
# Makes tg::<name> of a program or library for projects that add this one, and
# installs it as part of a component.
function(tg_install target component)
  get_target_property(name ${target} EXPORT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    add_executable(tg::${name} ALIAS ${target})
  else()
    add_library(tg::${name} ALIAS ${target})
  endif()
  if(NOT TG_INSTALL)
    return()
  endif()
  install(TARGETS ${target} EXPORT tg${component}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  add_dependencies(installed ${target})
endfunction()

if(NOT TG_INSTALL)
  return()
endif()

# Programs find the project's libraries relative to their own path, so that the
# tree can be moved, and LLVM's where they were found at build time.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(TG_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tg)

# Builds everything that `install` needs, without tests and examples.
add_custom_target(installed)

# tg_install_package(<component> HEADERS <FILES_MATCHING and patterns>...)
# Installs the targets and headers of a component.
function(tg_install_package component)
  cmake_parse_arguments(ARG "" "" "HEADERS" ${ARGN})
  install(EXPORT tg${component} NAMESPACE tg:: FILE tg${component}Targets.cmake
    DESTINATION ${TG_PACKAGE_DIR} COMPONENT ${component})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tg
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component}
    ${ARG_HEADERS})
endfunction()

# The headers that need no compiler; the Compiler component has all headers.
set(TG_RUNTIME_HEADERS FILES_MATCHING PATTERN *.hpp
  PATTERN abi.h PATTERN cxx20.h PATTERN dtypes.h PATTERN runtime.h
  PATTERN graph EXCLUDE PATTERN models EXCLUDE PATTERN nn EXCLUDE
  PATTERN symbolic EXCLUDE PATTERN tensor EXCLUDE)
tg_install_package(Runtime HEADERS ${TG_RUNTIME_HEADERS})
if(TG_DATA)
  tg_install_package(Data HEADERS ${TG_RUNTIME_HEADERS})
endif()
if(TG_COMPILER)
  tg_install_package(Compiler HEADERS FILES_MATCHING PATTERN *.h PATTERN *.hpp)
  include(TgInstallDocs)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/tgAddModel.cmake
    ${PROJECT_SOURCE_DIR}/cmake/tgPrecompileHeaders.cmake
    DESTINATION ${TG_PACKAGE_DIR} COMPONENT Compiler)
  # The examples, which are a separate project that finds the package. Runtime
  # has the hosts of the models that it contains.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DATADIR}/tg COMPONENT Compiler
    PATTERN classify.c EXCLUDE PATTERN sample.c EXCLUDE)
  foreach(host embed/classify.c char_lm/sample.c)
    cmake_path(GET host PARENT_PATH directory)
    install(FILES ${PROJECT_SOURCE_DIR}/examples/${host}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/tg/examples/${directory}
      COMPONENT Runtime)
  endforeach()
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/dev/make-npy.py
    DESTINATION ${CMAKE_INSTALL_DATADIR}/tg COMPONENT Compiler)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tgConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tgConfig.cmake
  INSTALL_DESTINATION ${TG_PACKAGE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tgConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
# The files of pkg-config find the installation relative to their own path.
file(RELATIVE_PATH TG_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library tgrt tg)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in
    ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/tgrt.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Runtime)
if(TG_COMPILER)
  install(FILES ${PROJECT_BINARY_DIR}/tg.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Compiler)
endif()

# All components contain these files, so that each is complete by itself.
foreach(component Runtime Data Compiler)
  install(FILES
    ${PROJECT_BINARY_DIR}/tgConfig.cmake
    ${PROJECT_BINARY_DIR}/tgConfigVersion.cmake
    DESTINATION ${TG_PACKAGE_DIR} COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  include(TgCpack)
endif()
