# Installs the documents for users in the layout of the source tree, so that
# their links to each other lead somewhere. `examples` is a link to the installed
# examples. Python changes links to files that are elsewhere in an installation,
# or not in it.

file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/include/tg/README.md)
file(GLOB more RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
  ${PROJECT_SOURCE_DIR}/dialects/*.md ${PROJECT_SOURCE_DIR}/dialects/tg/*.md
  ${PROJECT_SOURCE_DIR}/runtime/README.md
  ${PROJECT_SOURCE_DIR}/runtime/python/*.md
  ${PROJECT_SOURCE_DIR}/tools/README.md ${PROJECT_SOURCE_DIR}/tools/*/README.md)
list(APPEND documents ${more})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/pictures
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT Compiler
  FILES_MATCHING PATTERN "*.svg")

find_package(Python3 COMPONENTS Interpreter)
set(copies ${PROJECT_SOURCE_DIR})
if(Python3_FOUND)
  set(copies ${PROJECT_BINARY_DIR}/docs/installed)
  list(TRANSFORM documents PREPEND ${copies}/ OUTPUT_VARIABLE files)
  list(TRANSFORM documents PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  add_custom_command(OUTPUT ${files}
    COMMAND ${Python3_EXECUTABLE} -B
      ${PROJECT_SOURCE_DIR}/tools/docs/installed.py ${PROJECT_SOURCE_DIR}
      ${copies} ${CMAKE_INSTALL_DOCDIR} ${CMAKE_INSTALL_INCLUDEDIR}
      ${documents}
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tools/docs/installed.py
    COMMENT "Copying the documents for users" VERBATIM)
  add_custom_target(installed-docs ALL DEPENDS ${files})
  add_dependencies(installed installed-docs)
endif()
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH directory)
  install(FILES ${copies}/${document}
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${directory} COMPONENT Compiler)
endforeach()

file(RELATIVE_PATH examples /${CMAKE_INSTALL_DOCDIR}
  /${CMAKE_INSTALL_DATADIR}/tg/examples)
install(CODE "file(CREATE_LINK ${examples}
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/examples\"
  SYMBOLIC)" COMPONENT Compiler)
