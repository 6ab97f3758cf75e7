/* Every number and every field of abi.h 1.0. That this compiles is the test:
 * nothing here moves, changes its meaning or is reused, so no line here ever
 * changes; what a later minor adds gets lines of its own. */
#include <tg/abi.h>

#define NUMBER(name, value) TG_STATIC_ASSERT((name) == (value))
#define FIELD(type, field, at, bytes)                                          \
  TG_STATIC_ASSERT(offsetof(type, field) == (at) &&                            \
                   sizeof(((type *)0)->field) == (bytes))

NUMBER(TG_OK, 0);
NUMBER(TG_ERROR_NULL, 0x101);
NUMBER(TG_ERROR_STRUCT, 0x102);
NUMBER(TG_ERROR_NOT_FOUND, 0x103);
NUMBER(TG_ERROR_COUNT, 0x104);
NUMBER(TG_ERROR_DTYPE, 0x105);
NUMBER(TG_ERROR_RANK, 0x106);
NUMBER(TG_ERROR_DIM, 0x107);
NUMBER(TG_ERROR_STRIDES, 0x108);
NUMBER(TG_ERROR_DEVICE, 0x109);
NUMBER(TG_ERROR_ALIGNMENT, 0x10a);
NUMBER(TG_ERROR_OVERLAP, 0x10b);
NUMBER(TG_ERROR_SIZE, 0x10c);
NUMBER(TG_ERROR_SLAB, 0x10d);
NUMBER(TG_ERROR_PACKED, 0x10e);
NUMBER(TG_ERROR_BUSY, 0x10f);
NUMBER(TG_ERROR_INDEX, 0x201);
NUMBER(TG_ERROR_DIVIDE, 0x202);
NUMBER(TG_ERROR_NAN, 0x203);
NUMBER(TG_ERROR_FORMAT, 0x301);
NUMBER(TG_ERROR_CORRUPT, 0x302);
NUMBER(TG_ERROR_ABI, 0x303);
NUMBER(TG_ERROR_TARGET, 0x304);
NUMBER(TG_ERROR_MEMORY, 0x401);
NUMBER(TG_ERROR_IO, 0x402);
NUMBER(TG_ERROR_LOAD, 0x403);
NUMBER(TG_ERROR_HOST, 0x404);
NUMBER(TG_DTYPE_INT, 0);
NUMBER(TG_DTYPE_UINT, 1);
NUMBER(TG_DTYPE_FLOAT, 2);
NUMBER(TG_DTYPE_BFLOAT, 4);
NUMBER(TG_DTYPE_BOOL, 6);
NUMBER(TG_DEVICE_CPU, 1);
NUMBER(TG_DEVICE_CUDA, 2);
NUMBER(TG_DEVICE_CUDA_HOST, 3);
NUMBER(TG_ROLE_OTHER, 0);
NUMBER(TG_ROLE_PARAMETER, 1);
NUMBER(TG_ROLE_STATISTIC, 2);
NUMBER(TG_ROLE_SLOT, 3);
NUMBER(TG_ROLE_STEP, 4);
NUMBER(TG_ROLE_RANDOM, 5);
NUMBER(TG_VARIABLE_TRAINABLE, 1);
NUMBER(TG_FUNCTION_WRITES_VARIABLES, 1);
NUMBER(TG_FUNCTION_INITIALIZES, 2);
NUMBER(TG_FUNCTION_USES_PACKED, 4);
NUMBER(TG_FUNCTION_TRACES, 8);
NUMBER(TG_MODEL_TRAPS_NAN, 1);
NUMBER(TG_MODEL_SAME_BITS, 2);
NUMBER(TG_TARGET_BEST, 0);
NUMBER(TG_TARGET_X86_64_V2, 2);
NUMBER(TG_TARGET_X86_64_V3, 3);
NUMBER(TG_TARGET_X86_64_V4, 4);

FIELD(tg_error_t, struct_size, 0, 4);
FIELD(tg_error_t, status, 4, 4);
FIELD(tg_error_t, argument, 8, 4);
FIELD(tg_error_t, location, 12, 4);
FIELD(tg_error_t, element, 16, 8);
FIELD(tg_error_t, found, 24, 8);
FIELD(tg_error_t, expected, 32, 8);
FIELD(tg_error_t, variables_changed, 40, 4);
FIELD(tg_error_t, reserved, 44, 4);
FIELD(tg_error_t, message, 48, 256);

FIELD(tg_dtype_t, code, 0, 1);
FIELD(tg_dtype_t, bits, 1, 1);
FIELD(tg_dtype_t, lanes, 2, 2);

FIELD(tg_device_t, device_type, 0, 4);
FIELD(tg_device_t, device_id, 4, 4);

FIELD(tg_tensor_t, data, 0, 8);
FIELD(tg_tensor_t, device, 8, 8);
FIELD(tg_tensor_t, ndim, 16, 4);
FIELD(tg_tensor_t, dtype, 20, 4);
FIELD(tg_tensor_t, shape, 24, 8);
FIELD(tg_tensor_t, strides, 32, 8);
FIELD(tg_tensor_t, byte_offset, 40, 8);

FIELD(tg_location_t, struct_size, 0, 4);
FIELD(tg_location_t, line, 4, 4);
FIELD(tg_location_t, column, 8, 4);
FIELD(tg_location_t, reserved, 12, 4);
FIELD(tg_location_t, file, 16, 8);
FIELD(tg_location_t, op, 24, 8);
FIELD(tg_location_t, layer, 32, 8);

FIELD(tg_symbol_t, struct_size, 0, 4);
FIELD(tg_symbol_t, flags, 4, 4);
FIELD(tg_symbol_t, name, 8, 8);
FIELD(tg_symbol_t, minimum, 16, 8);
FIELD(tg_symbol_t, maximum, 24, 8);
FIELD(tg_symbol_t, multiple, 32, 8);

FIELD(tg_value_t, struct_size, 0, 4);
FIELD(tg_value_t, dtype, 4, 4);
FIELD(tg_value_t, name, 8, 8);
FIELD(tg_value_t, dims, 16, 8);
FIELD(tg_value_t, rank, 24, 4);
FIELD(tg_value_t, flags, 28, 4);

FIELD(tg_variable_t, struct_size, 0, 4);
FIELD(tg_variable_t, dtype, 4, 4);
FIELD(tg_variable_t, name, 8, 8);
FIELD(tg_variable_t, dims, 16, 8);
FIELD(tg_variable_t, rank, 24, 4);
FIELD(tg_variable_t, role, 28, 4);
FIELD(tg_variable_t, flags, 32, 4);
FIELD(tg_variable_t, owner, 36, 4);
FIELD(tg_variable_t, offset, 40, 8);
FIELD(tg_variable_t, bytes, 48, 8);

FIELD(tg_slab_header_t, layout_id, 0, 16);
FIELD(tg_slab_header_t, generation, 16, 8);
FIELD(tg_slab_header_t, reserved, 24, 40);

FIELD(tg_function_t, struct_size, 0, 4);
FIELD(tg_function_t, flags, 4, 4);
FIELD(tg_function_t, name, 8, 8);
FIELD(tg_function_t, inputs, 16, 8);
FIELD(tg_function_t, outputs, 24, 8);
FIELD(tg_function_t, symbols, 32, 8);
FIELD(tg_function_t, input_count, 40, 4);
FIELD(tg_function_t, output_count, 44, 4);
FIELD(tg_function_t, symbol_count, 48, 4);
FIELD(tg_function_t, symbol_total, 52, 4);
FIELD(tg_function_t, slab_bytes, 56, 8);
FIELD(tg_function_t, plan, 64, 8);
FIELD(tg_function_t, run, 72, 8);
FIELD(tg_function_t, impl, 80, 8);
FIELD(tg_function_t, steps, 88, 8);
FIELD(tg_function_t, costs, 96, 8);
FIELD(tg_function_t, step_count, 104, 4);
FIELD(tg_function_t, host_function_count, 108, 4);
FIELD(tg_function_t, host_functions, 112, 8);
NUMBER(TG_ERROR_ASSERT, 0x204);
FIELD(tg_host_value_t, struct_size, 0, 4);
FIELD(tg_host_value_t, dtype, 4, 4);
FIELD(tg_host_value_t, dims, 8, 8);
FIELD(tg_host_value_t, rank, 16, 4);
FIELD(tg_host_value_t, reserved, 20, 4);
FIELD(tg_host_need_t, struct_size, 0, 4);
FIELD(tg_host_need_t, location, 4, 4);
FIELD(tg_host_need_t, name, 8, 8);
FIELD(tg_host_need_t, inputs, 16, 8);
FIELD(tg_host_need_t, outputs, 24, 8);
FIELD(tg_host_need_t, input_count, 32, 4);
FIELD(tg_host_need_t, output_count, 36, 4);
FIELD(tg_host_call_t, struct_size, 0, 4);
FIELD(tg_host_call_t, input_count, 4, 4);
FIELD(tg_host_call_t, output_count, 8, 4);
FIELD(tg_host_call_t, message_bytes, 12, 4);
FIELD(tg_host_call_t, name, 16, 8);
FIELD(tg_host_call_t, inputs, 24, 8);
FIELD(tg_host_call_t, outputs, 32, 8);
FIELD(tg_host_call_t, message, 40, 8);
FIELD(tg_host_function_t, struct_size, 0, 4);
FIELD(tg_host_function_t, flags, 4, 4);
FIELD(tg_host_function_t, name, 8, 8);
FIELD(tg_host_function_t, call, 16, 8);
FIELD(tg_host_function_t, user, 24, 8);
FIELD(tg_host_t, struct_size, 0, 4);
FIELD(tg_host_t, function_count, 4, 4);
FIELD(tg_host_t, functions, 8, 8);
FIELD(tg_host_t, print, 16, 8);
FIELD(tg_host_t, user, 24, 8);
FIELD(tg_step_t, struct_size, 0, 4);
FIELD(tg_step_t, location, 4, 4);
FIELD(tg_step_t, name, 8, 8);
FIELD(tg_step_t, ops, 16, 8);
FIELD(tg_step_t, layers, 24, 8);
FIELD(tg_profile_t, struct_size, 0, 4);
FIELD(tg_profile_t, step_count, 4, 4);
FIELD(tg_profile_t, user, 8, 8);
FIELD(tg_profile_t, now, 16, 8);
FIELD(tg_profile_t, begin, 24, 8);
FIELD(tg_profile_t, end, 32, 8);
FIELD(tg_step_result_t, struct_size, 0, 4);
FIELD(tg_step_result_t, dtype, 4, 4);
FIELD(tg_step_result_t, data, 8, 8);
FIELD(tg_step_result_t, rows, 16, 8);
FIELD(tg_step_result_t, row_bytes, 24, 8);
FIELD(tg_step_result_t, row_stride, 32, 8);
FIELD(tg_trace_t, struct_size, 0, 4);
FIELD(tg_trace_t, flags, 4, 4);
FIELD(tg_trace_t, user, 8, 8);
FIELD(tg_trace_t, record, 16, 8);

FIELD(tg_model_t, struct_size, 0, 4);
FIELD(tg_model_t, abi_version, 4, 4);
FIELD(tg_model_t, target, 8, 4);
FIELD(tg_model_t, targets, 12, 4);
FIELD(tg_model_t, flags, 16, 8);
FIELD(tg_model_t, name, 24, 8);
FIELD(tg_model_t, metadata, 32, 8);
FIELD(tg_model_t, metadata_bytes, 40, 8);
FIELD(tg_model_t, model_id, 48, 16);
FIELD(tg_model_t, layout_id, 64, 16);
FIELD(tg_model_t, functions, 80, 8);
FIELD(tg_model_t, variables, 88, 8);
FIELD(tg_model_t, locations, 96, 8);
FIELD(tg_model_t, function_count, 104, 4);
FIELD(tg_model_t, variable_count, 108, 4);
FIELD(tg_model_t, location_count, 112, 4);
FIELD(tg_model_t, alignment, 116, 4);
FIELD(tg_model_t, slab_bytes, 120, 8);
FIELD(tg_model_t, packed_bytes, 128, 8);
FIELD(tg_model_t, pack, 136, 8);
FIELD(tg_model_t, impl, 144, 8);

FIELD(tg_parallel_t, struct_size, 0, 4);
FIELD(tg_parallel_t, worker_count, 4, 4);
FIELD(tg_parallel_t, user, 8, 8);
FIELD(tg_parallel_t, parallel_for, 16, 8);

FIELD(tg_plan_t, struct_size, 0, 4);
FIELD(tg_plan_t, worker_count, 4, 4);
FIELD(tg_plan_t, symbols, 8, 8);
FIELD(tg_plan_t, workspace_bytes, 16, 8);
FIELD(tg_plan_t, flops, 24, 8);
FIELD(tg_plan_t, traffic_bytes, 32, 8);

FIELD(tg_call_t, struct_size, 0, 4);
FIELD(tg_call_t, flags, 4, 4);
FIELD(tg_call_t, inputs, 8, 8);
FIELD(tg_call_t, outputs, 16, 8);
FIELD(tg_call_t, input_count, 24, 4);
FIELD(tg_call_t, output_count, 28, 4);
FIELD(tg_call_t, slab, 32, 8);
FIELD(tg_call_t, slab_bytes, 40, 8);
FIELD(tg_call_t, workspace, 48, 8);
FIELD(tg_call_t, workspace_bytes, 56, 8);
FIELD(tg_call_t, packed, 64, 8);
FIELD(tg_call_t, packed_bytes, 72, 8);
FIELD(tg_call_t, parallel, 80, 8);
FIELD(tg_call_t, error, 88, 8);
FIELD(tg_call_t, profile, 96, 8);
FIELD(tg_call_t, host, 104, 8);
FIELD(tg_call_t, trace, 112, 8);
FIELD(tg_call_t, reserved, 120, 8);

FIELD(tg_trailer_t, magic, 0, 8);
FIELD(tg_trailer_t, trailer_bytes, 8, 4);
FIELD(tg_trailer_t, abi_version, 12, 4);
FIELD(tg_trailer_t, payload_bytes, 16, 8);
FIELD(tg_trailer_t, machine, 24, 4);
FIELD(tg_trailer_t, targets, 28, 4);
FIELD(tg_trailer_t, model_id, 32, 16);
FIELD(tg_trailer_t, layout_id, 48, 16);
FIELD(tg_trailer_t, payload_sha256, 64, 32);
FIELD(tg_trailer_t, symbol, 96, 96);
FIELD(tg_trailer_t, reserved, 192, 32);
FIELD(tg_trailer_t, trailer_sha256, 224, 32);

int tg_abi_compiles(void);

int tg_abi_compiles(void) { return (int)TG_ABI_MAJOR; }
