# Installs the documents for users in the layout of the source tree, so that
# their links to each other lead somewhere. `examples` is a link to the installed
# examples.

file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/*.svg
  ${PROJECT_SOURCE_DIR}/include/tg/README.md)
file(GLOB more RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
  ${PROJECT_SOURCE_DIR}/dialects/*.md ${PROJECT_SOURCE_DIR}/dialects/tg/*.md
  ${PROJECT_SOURCE_DIR}/runtime/README.md
  ${PROJECT_SOURCE_DIR}/runtime/python/*.md
  ${PROJECT_SOURCE_DIR}/tools/README.md ${PROJECT_SOURCE_DIR}/tools/*/README.md)
foreach(document IN LISTS documents more)
  cmake_path(GET document PARENT_PATH directory)
  install(FILES ${PROJECT_SOURCE_DIR}/${document}
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${directory} COMPONENT Compiler)
endforeach()

file(RELATIVE_PATH examples /${CMAKE_INSTALL_DOCDIR}
  /${CMAKE_INSTALL_DATADIR}/tg/examples)
install(CODE "file(CREATE_LINK ${examples}
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/examples\"
  SYMBOLIC)" COMPONENT Compiler)
