# Installs the build, builds the consumer against the installed package only,
# then compiles models with the installed tgc and runs them. Repeats this with
# the component Runtime alone, and with that component built by GCC.

# step(<command>...): fails the test if the command fails.
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# refuse(<sentence> <command>...): fails the test unless the command fails and
# prints the sentence.
function(refuse sentence)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  # CMake wraps its messages.
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${sentence}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "expected '${sentence}', found:\n${output}")
  endif()
endfunction()

# configure(<name> <prefix> <C compiler> <C++ compiler> <components>...): sets
# `configuring`, the command that configures the consumer in WORK/<name>.
macro(configure name where c cxx)
  set(configuring ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/test/package/consumer
    -B ${WORK}/${name} -DCMAKE_PREFIX_PATH=${where}
    -DCMAKE_C_COMPILER=${c} -DCMAKE_CXX_COMPILER=${cxx}
    -DTG_EXAMPLES=${SOURCE}/examples -DTG_INCLUDE=${where}/include
    "-DTG_COMPONENTS=${ARGN}")
endmacro()

# configure_embedded(<fetch>): configures a project that adds the source tree,
# by FetchContent or by add_subdirectory, in WORK/embedded-<fetch>.
function(configure_embedded fetch)
  step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/test/package/embedded
    -B ${WORK}/embedded-${fetch} -DTG_SOURCE=${SOURCE} -DTG_FETCH=${fetch}
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER})
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# Install everything, and test both ways to build a model.
set(prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
configure(consumer ${prefix} ${C_COMPILER} ${CXX_COMPILER} Runtime Compiler)
step(${configuring})
step(${CMAKE_COMMAND} --build ${WORK}/consumer)
step(${prefix}/${BINDIR}/tgc ${SOURCE}/examples/mlir/mlp.mlir
  -o ${WORK}/mlp.so)
step(${prefix}/${BINDIR}/tgc-run ${WORK}/mlp.so)
step(python3 -B ${SOURCE}/test/package/check_links.py ${prefix}/share/doc)
foreach(page language tg)
  file(GLOB_RECURSE found ${prefix}/share/${page}.md)
  if(NOT found)
    message(FATAL_ERROR "expected ${page}.md among the installed files")
  endif()
endforeach()
step(${WORK}/consumer/hosted ${WORK}/mlp.so ${WORK}/mlp.safetensors)
step(${WORK}/consumer/hosted ${WORK}/consumer/mlp.so ${WORK}/mlp.safetensors)
step(${WORK}/consumer/adopts)
step(${WORK}/consumer/digits ${SOURCE}/examples/digits/digits.csv ${WORK})
step(${WORK}/consumer/serve ${WORK}/serve.so
  ${SOURCE}/examples/digits/digits.csv)

# Each target of the package must bring its dependencies, with both compilers.
find_program(GCC gcc)
find_program(GXX g++)
function(check_links name c cxx)
  step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/test/package/links
    -B ${WORK}/${name} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${c} -DCMAKE_CXX_COMPILER=${cxx})
  step(${CMAKE_COMMAND} --build ${WORK}/${name})
  step(${WORK}/${name}/session)
  step(${WORK}/${name}/precompiled)
  file(GLOB precompiled
    ${WORK}/${name}/CMakeFiles/precompiled.dir/cmake_pch.hxx.*ch)
  if(NOT precompiled)
    message(FATAL_ERROR "expected tg_precompile_headers to compile <tg/tg.h>")
  endif()
  step(${WORK}/${name}/compile ${WORK}/${name}/twice.so)
  foreach(program run run-static)
    step(${WORK}/${name}/${program} ${WORK}/${name}/twice.so)
  endforeach()
  foreach(program both both-static both-compiler)
    step(${WORK}/${name}/${program} ${WORK}/${name}/${program}.so)
  endforeach()
endfunction()
check_links(links ${C_COMPILER} ${CXX_COMPILER})
if(GCC AND GXX)
  check_links(links-gcc ${GCC} ${GXX})
endif()
# Link without CMake: the library must name its dependencies. The package can
# be moved.
file(WRITE ${WORK}/session.sh "set -eu
${CXX_COMPILER} -std=c++20 ${SOURCE}/test/package/links/session.cpp \
  $(PKG_CONFIG_PATH=${prefix}/${LIBDIR}/pkgconfig pkg-config --cflags --libs tg) \
  -Wl,-rpath,${prefix}/${LIBDIR} -o ${WORK}/session
${WORK}/session
")
step(bash ${WORK}/session.sh)

# Follow the CMake example of the page on installing.
file(READ ${SOURCE}/docs/install.md page)
string(REGEX MATCH "```cmake\n([^`]*)```" block "${page}")
if(NOT CMAKE_MATCH_1)
  message(FATAL_ERROR "expected a block of cmake in docs/install.md")
endif()
set(shown ${WORK}/shown)
file(MAKE_DIRECTORY ${shown})
file(COPY ${SOURCE}/examples/mlir/mlp.mlir DESTINATION ${shown})
file(WRITE ${shown}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(shown LANGUAGES C CXX)
add_executable(train ${SOURCE}/test/package/links/both.cpp)
${CMAKE_MATCH_1}")
step(${CMAKE_COMMAND} -G Ninja -S ${shown} -B ${shown}/build
  -DCMAKE_PREFIX_PATH=${prefix})
step(${CMAKE_COMMAND} --build ${shown}/build)
step(${shown}/build/train ${shown}/twice.so)
step(${prefix}/${BINDIR}/tgc-run ${shown}/build/mlp.so)

# Build a project in C only.
set(host ${WORK}/host)
file(MAKE_DIRECTORY ${host})
file(WRITE ${host}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(host LANGUAGES C)
find_package(tg 0.1 REQUIRED COMPONENTS Runtime)
add_executable(hosted ${SOURCE}/examples/embed/hosted.c)
target_link_libraries(hosted PRIVATE tg::Runtime)
")
step(${CMAKE_COMMAND} -G Ninja -S ${host} -B ${host}/build
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C_COMPILER})
step(${CMAKE_COMMAND} --build ${host}/build)
step(${host}/build/hosted ${WORK}/mlp.so ${WORK}/mlp.safetensors)

# Run the programs that the documents name, and build the examples as a project
# of their own.
foreach(program tgc tgc-run tgc-opt tgc-bench)
  step(${prefix}/${BINDIR}/${program} --version)
endforeach()
set(examples ${prefix}/share/tg/examples)
if(NOT EXISTS ${examples}/Training.h)
  message(FATAL_ERROR "expected examples/Training.h among the installed files")
endif()
step(${CMAKE_COMMAND} -G Ninja -S ${examples} -B ${WORK}/examples
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_C_COMPILER=${C_COMPILER})
step(${CMAKE_COMMAND} --build ${WORK}/examples
  --target embed-hosted curve_fit digits_cnn scenario-e01 short-mlp)
step(${WORK}/examples/embed/embed-hosted ${WORK}/mlp.so
  ${WORK}/mlp.safetensors)
step(${WORK}/examples/curve_fit/curve_fit ${WORK}/examples)
step(${WORK}/examples/scenarios/scenario-e01)

# The target `installed`, which the quickstart builds, must suffice to install.
file(READ ${SOURCE}/tools/quickstart.sh quickstart)
string(REGEX MATCHALL "--target [^\n]*" targets "${quickstart}")
foreach(target installed digits embed-bare embed-hosted)
  if(NOT targets MATCHES " ${target}( |;|$)")
    message(FATAL_ERROR "expected quickstart.sh to build the target ${target}")
  endif()
endforeach()
if(quickstart MATCHES "--quiet" OR NOT quickstart MATCHES "cmake --install")
  message(FATAL_ERROR "expected quickstart.sh to show progress and to install")
endif()
set(built)
foreach(question inputs query)
  execute_process(COMMAND ninja -C ${BUILD} -t ${question} installed
    OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND built "${answer}")
endforeach()
file(STRINGS ${BUILD}/install_manifest.txt manifest)
foreach(file ${manifest})
  cmake_path(GET file FILENAME name)
  foreach(directory bin lib)
    string(FIND "${built}" "${directory}/${name}\n" at)
    if(EXISTS ${BUILD}/${directory}/${name} AND at EQUAL -1
        AND NOT IS_SYMLINK ${BUILD}/${directory}/${name})
      message(FATAL_ERROR "expected the target 'installed' to build ${name}")
    endif()
  endforeach()
endforeach()

# The component Runtime must have neither the compiler nor its headers.
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix-runtime
  --component Runtime)
configure(consumer-runtime ${WORK}/prefix-runtime ${C_COMPILER} ${CXX_COMPILER}
  Runtime)
step(${configuring})
step(${CMAKE_COMMAND} --build ${WORK}/consumer-runtime)
# Its models must run in tgc-run and in the hosts beside them.
set(models ${WORK}/prefix-runtime/share/tg/models)
step(${WORK}/prefix-runtime/${BINDIR}/tgc-run ${models}/digits.so test
  --input image=${models}/digits.npy --output probabilities=${WORK}/p.npy)
step(${WORK}/prefix-runtime/${BINDIR}/tgc-run ${models}/char_lm.so sample
  --input lines=5 --input temperature=0.5 --output text=${WORK}/text.npy)
# Build them without CMake, by the flags that pkg-config finds.
file(WRITE ${WORK}/hosts.sh "set -eu
export PKG_CONFIG_PATH=${WORK}/prefix-runtime/${LIBDIR}/pkgconfig
for host in embed/classify char_lm/sample; do
  ${C_COMPILER} -std=c11 -Wall -Wextra -Werror \\
    ${WORK}/prefix-runtime/share/tg/examples/$host.c -o ${WORK}/$(basename $host) \\
    $(pkg-config --cflags --libs tgrt) -Wl,-rpath,${WORK}/prefix-runtime/${LIBDIR}
done
")
step(bash ${WORK}/hosts.sh)
step(${WORK}/classify ${models}/digits.so ${models}/digits.npy)
step(${WORK}/sample ${models}/char_lm.so 1 10 0.5)
configure(consumer-refused ${WORK}/prefix-runtime ${C_COMPILER} ${CXX_COMPILER}
  Compiler)
refuse("tg has no component 'Compiler'" ${configuring})

# Projects that add the source tree get the runtime alone, and nothing of it
# among what they install.
configure_embedded(OFF)
step(${CMAKE_COMMAND} --build ${WORK}/embedded-OFF)
foreach(library Runtime RuntimeStatic)
  step(${WORK}/embedded-OFF/classify-${library} ${models}/digits.so
    ${models}/digits.npy)
endforeach()
step(${WORK}/embedded-OFF/headers ${WORK}/links/twice.so)
step(${CMAKE_COMMAND} --install ${WORK}/embedded-OFF
  --prefix ${WORK}/prefix-embedded)
file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix-embedded
  ${WORK}/prefix-embedded/*)
if(NOT installed STREQUAL "bin/classify-Runtime")
  message(FATAL_ERROR "expected bin/classify-Runtime alone, found ${installed}")
endif()
configure_embedded(ON)

# The compiler needs the runtime and must say so.
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix-compiler
  --component Compiler)
configure(consumer-half ${WORK}/prefix-compiler ${C_COMPILER} ${CXX_COMPILER}
  Compiler)
refuse("component Compiler of tg needs component Runtime" ${configuring})

# The headers must not include slow headers of the standard library.
foreach(header tg.h runtime.hpp)
  file(WRITE ${WORK}/all.cpp "#include <tg/${header}>\n")
  execute_process(COMMAND ${CXX_COMPILER} -std=c++20 -M -I ${prefix}/include
      ${WORK}/all.cpp
    OUTPUT_VARIABLE included COMMAND_ERROR_IS_FATAL ANY)
  if(included MATCHES "/(algorithm|chrono|filesystem|future|iostream|random|ranges|regex|sstream|thread|variant)[ \n]")
    message(FATAL_ERROR "expected ${header} to include no <${CMAKE_MATCH_1}>")
  endif()
endforeach()

# The first included header must refuse an older C++ standard.
foreach(header tg.h graph/program.h runtime.hpp)
  file(WRITE ${WORK}/old.cpp "#include <tg/${header}>\n")
  refuse("need C++20" ${CXX_COMPILER} -std=c++17 -fsyntax-only
    -I ${prefix}/include ${WORK}/old.cpp)
endforeach()

# GCC must build the runtime, its tools and tg::Data, and the headers, without a
# warning.
if(NOT GCC OR NOT GXX)
  message(STATUS "no GCC here: the runtime is not built with it")
  return()
endif()
step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/runtime-gcc
  -DTG_COMPILER=OFF -DTG_DATA=ON -DTG_WERROR=ON -DBUILD_TESTING=OFF
  -DCMAKE_C_COMPILER=${GCC} -DCMAKE_CXX_COMPILER=${GXX})
step(${CMAKE_COMMAND} --build ${WORK}/runtime-gcc)
if(EXISTS ${WORK}/runtime-gcc/CTestTestfile.cmake)
  message(FATAL_ERROR "expected no tests with BUILD_TESTING=OFF")
endif()
step(${CMAKE_COMMAND} --install ${WORK}/runtime-gcc
  --prefix ${WORK}/prefix-gcc)
configure(consumer-gcc ${WORK}/prefix-gcc ${GCC} ${GXX} Runtime)
step(${configuring})
step(${CMAKE_COMMAND} --build ${WORK}/consumer-gcc)
step(${WORK}/consumer-gcc/hosted ${WORK}/mlp.so ${WORK}/mlp.safetensors)
# Also compile the headers of the compiler.
configure(consumer-headers ${prefix} ${GCC} ${GXX} Runtime)
step(${configuring})
step(${CMAKE_COMMAND} --build ${WORK}/consumer-headers --target headers)
