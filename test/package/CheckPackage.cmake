# Installs, builds the consumer with the installed package alone, compiles a
# model with the installed tgc and runs it.

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix} ${WORK}/consumer)

# step(<command>...): ends the test if the command fails.
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/test/package/consumer
  -B ${WORK}/consumer
  -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DTG_EXAMPLES=${SOURCE}/examples)
step(${CMAKE_COMMAND} --build ${WORK}/consumer)
step(${prefix}/${BINDIR}/tgc ${SOURCE}/examples/mlir/mlp.mlir
  -o ${WORK}/mlp.so)
step(${prefix}/${BINDIR}/tgc-run ${WORK}/mlp.so)
step(${WORK}/consumer/hosted ${WORK}/mlp.so ${WORK}/mlp.safetensors)
step(${WORK}/consumer/digits ${SOURCE}/examples/digits/digits.csv ${WORK})
step(${WORK}/consumer/serve ${WORK}/serve.so
  ${SOURCE}/examples/digits/digits.csv)
