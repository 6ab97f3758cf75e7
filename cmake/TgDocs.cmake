# Generates the reference of ops and passes from the .td files into build/docs/,
# next to the document of the text language.

set(TG_DOCS_DIR ${PROJECT_BINARY_DIR}/docs)
set(TG_DOCS)

# tg_add_reference(<name> <source.td> <generator's options>...)
# Writes docs/<name>.md. For a dialect it omits the C++ details of ops, which
# docs/full/<name>.md contains for tests.
function(tg_add_reference name source)
  get_filename_component(directory ${PROJECT_SOURCE_DIR}/${source} DIRECTORY)
  file(GLOB parts CONFIGURE_DEPENDS ${directory}/*.td)
  set(script ${PROJECT_SOURCE_DIR}/cmake/UserReference.cmake)
  set(full ${TG_DOCS_DIR}/full/${name}.md)
  add_custom_command(OUTPUT ${TG_DOCS_DIR}/${name}.md
    BYPRODUCTS ${full}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${TG_DOCS_DIR}/full
    COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN}
      -I ${PROJECT_SOURCE_DIR} -I ${directory} -I ${MLIR_INCLUDE_DIRS}
      ${PROJECT_SOURCE_DIR}/${source} -o ${full}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${full}
      -DOUTPUT=${TG_DOCS_DIR}/${name}.md -P ${script}
    DEPENDS ${parts} ${script} VERBATIM)
  list(APPEND TG_DOCS ${TG_DOCS_DIR}/${name}.md)
  set(TG_DOCS ${TG_DOCS} PARENT_SCOPE)
endfunction()

tg_add_reference(tg dialects/tg/TgOps.td -gen-dialect-doc -dialect=tg)
tg_add_reference(tgx dialects/tgx/TgxOps.td -gen-dialect-doc -dialect=tgx)
tg_add_reference(passes compiler/transforms/Passes.td -gen-pass-doc)
tg_add_reference(kernel-passes compiler/library/Passes.td -gen-pass-doc)
tg_add_reference(math-passes compiler/codegen/kernel/math/Passes.td -gen-pass-doc)
add_custom_command(OUTPUT ${TG_DOCS_DIR}/language.md
  COMMAND ${CMAKE_COMMAND} -E copy
    ${PROJECT_SOURCE_DIR}/dialects/tg/language.md ${TG_DOCS_DIR}/language.md
  DEPENDS ${PROJECT_SOURCE_DIR}/dialects/tg/language.md VERBATIM)
list(APPEND TG_DOCS ${TG_DOCS_DIR}/language.md)
add_custom_target(docs ALL DEPENDS ${TG_DOCS})

if(TG_INSTALL)
  # Users who write models as text need its operations.
  install(FILES ${TG_DOCS_DIR}/tg.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Compiler)
  add_dependencies(installed docs)
endif()
