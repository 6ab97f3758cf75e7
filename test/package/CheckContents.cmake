# Installs each component by itself and checks what packages are made of: the
# programs and libraries, their versions, and that the runtime needs no LLVM.

file(REMOVE_RECURSE ${WORK})
foreach(component Runtime Data Compiler)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --strip
      --component ${component} --prefix ${WORK}/${component}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# expect_names(<directory> <pattern> <names>...): fails the test unless these
# are the names of the matching files.
function(expect_names directory pattern)
  file(GLOB found RELATIVE ${WORK}/${directory} ${WORK}/${directory}/${pattern})
  list(SORT found)
  if(NOT found STREQUAL "${ARGN}")
    message(FATAL_ERROR "expected ${ARGN} in ${directory}, found ${found}")
  endif()
endfunction()
expect_names(Runtime/${BINDIR} * tgc-run)
expect_names(Runtime/${LIBDIR} lib* libtgrt.a libtgrt.so libtgrt.so.0
  libtgrt.so.${VERSION})
expect_names(Data/${BINDIR} * tgc-data tgc-train)
expect_names(Data/${LIBDIR} lib* libtgdata.a libtgtraining.a)
expect_names(Compiler/${BINDIR} * tg-lsp-server tgc tgc-bench tgc-opt)
expect_names(Compiler/${LIBDIR} lib* libtg.so libtg.so.0 libtg.so.${VERSION})

# The documents, with the examples that they name, lie as in the source tree.
foreach(file README.md docs/guide/README.md docs/pictures/tgc.svg
    dialects/tg/language.md include/tg/nn/README.md tg.md
    examples/short/README.md runtime/python/wheel.md)
  if(NOT EXISTS ${WORK}/Compiler/${DOCDIR}/${file})
    message(FATAL_ERROR "expected ${file} in ${DOCDIR} of Compiler")
  endif()
endforeach()

# Each program tells the version, and the runtime needs the C and C++ libraries
# alone.
file(GLOB programs ${WORK}/*/${BINDIR}/*)
foreach(program ${programs} ${SOURCE}/tools/package.sh)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env
      LD_LIBRARY_PATH=${WORK}/Runtime/${LIBDIR} ${program} --version
    OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${printed}" "${VERSION}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected ${program} --version to print ${VERSION}, "
      "found ${printed}")
  endif()
endforeach()
foreach(file ${BINDIR}/tgc-run ${LIBDIR}/libtgrt.so)
  execute_process(COMMAND readelf -d ${WORK}/Runtime/${file}
    OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "NEEDED[^\n]*\\[[^]]*" needed "${printed}")
  list(TRANSFORM needed REPLACE ".*\\[" "")
  list(FILTER needed EXCLUDE REGEX
    "^(libc|libm|libstdc\\+\\+|libgcc_s|ld-linux-x86-64|libtgrt)\\.so")
  if(needed OR NOT printed MATCHES NEEDED)
    message(FATAL_ERROR "expected ${file} to need libc, found ${needed}")
  endif()
endforeach()

# A release is the newest entry of the changelog.
file(STRINGS ${SOURCE}/CHANGELOG.md entries REGEX "^## \\[[0-9.]+\\]")
list(GET entries 0 newest)
if(NOT newest MATCHES "^## \\[${VERSION}\\]")
  message(FATAL_ERROR "expected [${VERSION}] first in CHANGELOG.md, "
    "found ${newest}")
endif()
