# The pre-scan needs only the standard library, so that its tests also build
# without MLIR.
set(TG_PRESCAN_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/AliasRule.cpp
  ${CMAKE_CURRENT_LIST_DIR}/PreScan.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ResourceRule.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ScanRules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ShapeRule.cpp
  ${CMAKE_CURRENT_LIST_DIR}/Tokens.cpp)
