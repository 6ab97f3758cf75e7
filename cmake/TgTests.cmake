# Defines how GoogleTest programs become tests of ctest.

find_package(GTest REQUIRED)

if(TG_COMPILER)
  # The precompiled header of tests that include MLIR headers.
  tg_add_precompiled(TgMlirTestPch gtest/gtest.h
    BASE TgCompilerPch LINK TgMlirOptions GTest::gtest)
  # For tests of the C++ front end.
  tg_add_precompiled(TgProgramTestPch gtest/gtest.h
    BASE TgProgramPch LINK TgOptions GTest::gtest)
  target_compile_options(TgProgramTestPch PRIVATE ${TG_PROGRAM_OPTIONS})
endif()

# tg_add_test(<program> [QUICK <patterns>] [SHARDS <number>])
# Adds a test. With patterns, such as *f32*:*O2, `tools/check.sh --quick` runs
# only the matching cases of the program; the others form a second test with the
# label `full`, or several that run side by side. The longest tests begin first.
function(tg_add_test program)
  cmake_parse_arguments(ARG "" "SHARDS" "QUICK" ${ARGN})
  if(NOT ARG_QUICK)
    add_test(NAME ${program} COMMAND ${program})
    return()
  endif()
  add_test(NAME ${program} COMMAND ${program} --gtest_filter=${ARG_QUICK})
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(rest ${program}-rest)
    if(shard GREATER 0)
      set(rest ${program}-rest-${shard})
    endif()
    add_test(NAME ${rest} COMMAND ${program} --gtest_filter=-${ARG_QUICK})
    set_tests_properties(${rest} PROPERTIES LABELS full COST ${ARG_SHARDS}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
