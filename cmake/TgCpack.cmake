# Describes the packages that CPack makes of the installed components:
# tgc-runtime (component Runtime) and tgc (Data and Compiler) for Debian, and
# one archive of everything that runs where it is unpacked. tools/package.sh
# makes them.

set(CPACK_PACKAGE_NAME tgc)
set(CPACK_PACKAGE_VENDOR tgc)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_FILE_NAME tgc-${PROJECT_VERSION}-x86_64-linux)
set(TG_PACKAGE_CONTACT "tgc <tgc@localhost>" CACHE STRING
  "Maintainer of the packages, as 'name <address>'")
set(CPACK_PACKAGE_CONTACT ${TG_PACKAGE_CONTACT})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES TRUE)
# The compressed bytes depend on whether there are several threads.
set(CPACK_THREADS 2)
set(CPACK_VERBATIM_VARIABLES TRUE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Read for each package format: layout, and files that only the format has.
set(CPACK_PROJECT_CONFIG_FILE
  ${PROJECT_SOURCE_DIR}/tools/package/PackageFormat.cmake)
set(CPACK_PRE_BUILD_SCRIPTS
  ${PROJECT_SOURCE_DIR}/tools/package/StagePackage.cmake)

set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE tgc)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS TRUE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS TRUE)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/tools/package/triggers)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tgc-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gcc, tgc (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
"library that runs models compiled by tgc
tgc compiles neural networks with their training to native libraries.
This package runs them: the shared and the static library, the headers for
C and C++, files for pkg-config and CMake, and the program tgc-run.")

set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME tgc)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS
  "tgc-runtime (= ${PROJECT_VERSION}), libllvm22")
set(CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS "g++ (>= 4:12)")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS
  "cmake, libarchive-dev, libcsv-dev, libisal-dev, libjpeg62-turbo-dev, libpng-dev, python3, zlib1g-dev")
set(CPACK_DEBIAN_COMPILER_DESCRIPTION
"compiler of neural networks and their training
tgc compiles networks that are written in C++ or as text to native libraries
that train and infer, without a framework.
This package has the compiler as the program tgc and as a library for C++
programs, the tools for data sets, trainings and measurements, the examples
and compiled kernels of common networks.")

include(CPack)
cpack_add_component_group(runtime)
cpack_add_component_group(compiler)
cpack_add_component(Runtime GROUP runtime)
cpack_add_component(Data GROUP compiler)
cpack_add_component(Compiler GROUP compiler)
