# What `install` brings beside the programs and libraries: the headers and the
# CMake package, so that find_package(tg) gives the targets tg::<name>.

include(CMakePackageConfigHelpers)

# Programs find our libraries wherever the tree is installed or moved to, and
# LLVM's where they were found.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

set(TG_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tg)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tgConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tgConfig.cmake
  INSTALL_DESTINATION ${TG_PACKAGE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tgConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tg
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h PATTERN *.hpp)
install(EXPORT TgTargets NAMESPACE tg:: FILE tgTargets.cmake
  DESTINATION ${TG_PACKAGE_DIR})
install(FILES
  ${PROJECT_BINARY_DIR}/tgConfig.cmake
  ${PROJECT_BINARY_DIR}/tgConfigVersion.cmake
  DESTINATION ${TG_PACKAGE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
