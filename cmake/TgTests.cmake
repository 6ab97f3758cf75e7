# How programs of GoogleTests become tests of ctest.

find_package(GTest REQUIRED)

# tg_add_test(<program> [QUICK <patterns>])
# With patterns, as in *f32*:*O2, `tools/check.sh --quick` runs what they take of
# the program's tests; the rest is a test of its own with the label `full`.
function(tg_add_test program)
  cmake_parse_arguments(ARG "" "QUICK" "" ${ARGN})
  if(NOT ARG_QUICK)
    add_test(NAME ${program} COMMAND ${program})
    return()
  endif()
  add_test(NAME ${program} COMMAND ${program} --gtest_filter=${ARG_QUICK})
  add_test(NAME ${program}-rest
    COMMAND ${program} --gtest_filter=-${ARG_QUICK})
  set_tests_properties(${program}-rest PROPERTIES LABELS full)
endfunction()
