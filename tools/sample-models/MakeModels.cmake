# Trains digits and a small char_lm in the directory WORK, and compiles both to
# the directory MODELS. Their output is in WORK/log.txt.

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK} ${MODELS})

# run(<command>...): fails, and prints the output, if the command fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(APPEND ${WORK}/log.txt "${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
endfunction()

run(${DIGITS} ${DATA} ${WORK})
run(${CHAR_LM} ${SOURCE} ${WORK} small)
run(${MAKE} ${WORK} ${DATA} ${MODELS})
