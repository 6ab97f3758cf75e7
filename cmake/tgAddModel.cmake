# tg_add_model(<target> <model.mlir> [STATIC] [OPTIONS <tgc's options>...])
#
# Compiles a model as text whenever it changes. Without STATIC the target makes
# <target>.so in the current binary directory; its path is the property TG_MODEL
# of the target. With STATIC the target is a library to link, whose model
# TG_DECLARE_MODEL(<target>) of tg/abi.h declares.
function(tg_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC" "" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tg_add_model(${target}): expected STATIC or OPTIONS, "
      "found '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  cmake_path(ABSOLUTE_PATH model OUTPUT_VARIABLE source)
  if(ARG_STATIC)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
    list(APPEND ARG_OPTIONS --symbol-prefix=${target})
  else()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.so)
  endif()
  add_custom_command(OUTPUT ${file}
    COMMAND tg::tgc ${source} -o ${file} ${ARG_OPTIONS}
    DEPENDS ${source} tg::tgc
    COMMENT "Compiling the model ${model}" VERBATIM)
  if(ARG_STATIC)
    set_source_files_properties(${file} PROPERTIES
      GENERATED TRUE EXTERNAL_OBJECT TRUE)
    add_library(${target} STATIC ${file})
    # Any language of the project can make an archive.
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    list(FILTER languages INCLUDE REGEX "^(C|CXX)$")
    list(GET languages 0 language)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ${language})
    target_link_libraries(${target} INTERFACE m)
  else()
    add_custom_target(${target} ALL DEPENDS ${file})
  endif()
  set_target_properties(${target} PROPERTIES TG_MODEL ${file})
endfunction()
