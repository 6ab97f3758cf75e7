# tg_precompile_headers(<target>)
#
# Compiles <tg/tg.h> once for all C++ sources of a target that links
# tg::Compiler, so that no source parses these headers again. Sources need not
# change. Targets with equal compile options can share it:
# target_precompile_headers(<other> REUSE_FROM <target>).
function(tg_precompile_headers target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tg_precompile_headers(${target}): expected a target")
  endif()
  target_precompile_headers(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:<tg/tg.h$<ANGLE-R>>")
endfunction()
