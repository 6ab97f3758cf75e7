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

/// Writes the bases of the arguments and of the constants, which are addresses
/// on the device, and the addresses of the walk. `copies` is the memory for
/// tensors of the host, with scratch memory behind it.
void tg_embedded_put_arguments(tg_embedded_walk_t *walk, char *copies);

/// Copies the inputs that are staged to the host block.
void tg_embedded_stage_inputs(const tg_embedded_walk_t *walk);

/// Copies the outputs that are staged from the host block.
void tg_embedded_unstage_outputs(const tg_embedded_walk_t *walk);

/// Enqueues the copies to the device that begin the operations of a run: of the
/// initial report with the staged inputs, and of large pinned inputs.
tg_status_t tg_embedded_begin_exchange(tg_embedded_walk_t *walk);

/// Enqueues the copies from the device that end the operations of a run: of the
/// staged outputs with the report, and of large pinned outputs.
tg_status_t tg_embedded_end_exchange(tg_embedded_walk_t *walk);

/// Enqueues the copies to the device of all other inputs in host memory.
tg_status_t tg_embedded_copy_inputs(tg_embedded_walk_t *walk);

/// Enqueues the copies from the device of all other outputs in host memory.
tg_status_t tg_embedded_copy_outputs(tg_embedded_walk_t *walk);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_DEVICEARGUMENTS_H
