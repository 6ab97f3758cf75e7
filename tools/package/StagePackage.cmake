# Run by CPack between installation and packaging: adds the files that only one
# package format has.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(script stage-deb.sh)
else()
  set(script stage-archive.sh)
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env
    "TG_VERSION=${CPACK_PACKAGE_VERSION}" "TG_CONTACT=${CPACK_PACKAGE_CONTACT}"
    bash ${CMAKE_CURRENT_LIST_DIR}/${script} ${CPACK_TEMPORARY_DIRECTORY}
  COMMAND_ERROR_IS_FATAL ANY)
