/// The inputs and outputs of a run on a device.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_DEVICEARGUMENTS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_DEVICEARGUMENTS_H

#include "DeviceSteps.h"

/// Computes the bytes that arguments of the host need: `copies` of the
/// workspace and `staged` of the host block. Sets *overflowed if one of them
/// does not fit.
void tg_embedded_argument_sizes(const tg_function_t *function,
                                const int64_t *symbols, uint64_t *copies,
                                uint64_t *staged, int *overflowed);

/// Writes the bases of the arguments and of the constants: addresses on the
/// device. `copies` is the memory for tensors of the host. Returns its end,
/// where scratch memory begins.
char *tg_embedded_put_arguments(const tg_embedded_run_t *run, char *copies);

/// Copies the inputs that are staged to the host block.
void tg_embedded_stage_inputs(tg_embedded_walk_t *walk);

/// Copies the outputs that are staged from the host block.
void tg_embedded_unstage_outputs(tg_embedded_walk_t *walk);

/// Enqueues the copies of the inputs that lie in host memory to the device: of
/// those that are staged, or of all others.
tg_status_t tg_embedded_copy_inputs(tg_embedded_walk_t *walk, int staged);

/// Enqueues the copies of the outputs in the same way.
tg_status_t tg_embedded_copy_outputs(tg_embedded_walk_t *walk, int staged);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_DEVICEARGUMENTS_H
