# Read by CPack once for each package format: the prefix, and whether the format
# has one package for each group of components.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(CPACK_MONOLITHIC_INSTALL TRUE)
endif()
