/// A host of devices that has only abi.h: it loads images by the driver and
/// brings its own table of operations.
#ifndef TG_TEST_DEVICES_SUPPORT_BAREHOST_H
#define TG_TEST_DEVICES_SUPPORT_BAREHOST_H

#include "test/simulator/support/Cuda.h"

#include <tg/abi.h>

#include <memory>
#include <string>
#include <vector>

namespace tg::test {

/// Memory with the alignment that models ask for.
class AlignedMemory {
public:
  explicit AlignedMemory(size_t bytes);
  void *data() const { return memory.get(); }

private:
  std::unique_ptr<void, void (*)(void *)> memory;
};

/// A library, with the table of one target.
class LoadedTable {
public:
  LoadedTable(const std::string &path, uint32_t target);
  ~LoadedTable();
  LoadedTable(const LoadedTable &) = delete;

  const tg_function_t &function(const std::string &name) const;
  const tg_model_t &model() const { return *table; }

private:
  void *library;
  const tg_model_t *table = nullptr;
};

/// The tensors of a call, over memory of the caller.
class Arguments {
public:
  Arguments &add(void *data, std::vector<int64_t> shape, tg_dtype_t dtype);
  const tg_tensor_t *data();
  uint32_t size() const { return uint32_t(tensors.size()); }
  tg_tensor_t &operator[](size_t index) { return tensors[index]; }

private:
  std::vector<tg_tensor_t> tensors;
  std::vector<std::vector<int64_t>> shapes;
};

/// Runs functions of a table for a CPU.
class CpuHost {
public:
  explicit CpuHost(uint32_t target, const char *path = TG_MLP_SO);

  tg_status_t run(const std::string &name, Arguments &inputs,
                  Arguments &outputs);
  /// Returns the variables, without the header.
  std::vector<char> variables() const;

  LoadedTable table;
  tg_error_t error = {};
  /// The functions and prints of calls; null: none.
  const tg_host_t *functions = nullptr;

private:
  AlignedMemory slab;
};

/// Runs functions of a table for a device.
class BareHost {
public:
  explicit BareHost(const char *path = TG_MLP_SO);
  ~BareHost();
  BareHost(const BareHost &) = delete;

  /// Prepares a call; the result lives until the next one.
  tg_call_t &prepare(const std::string &name, Arguments &inputs,
                     Arguments &outputs);
  tg_status_t run(const std::string &name, Arguments &inputs,
                  Arguments &outputs);
  std::vector<char> variables() const;

  LoadedTable table;
  tg_error_t error = {};
  /// The functions and prints of calls; null: none.
  const tg_host_t *functions = nullptr;
  tg_slab_header_t header = {};
  tg_device_ops_t ops;
  tg_device_call_t deviceCall = {};
  /// The operations so far; the one with this number fails, counted from 1.
  uint64_t operations = 0, failing = 0;
  /// The waits so far.
  uint64_t waits = 0;
  /// The status of a run that enqueues nothing, unless it is TG_OK.
  tg_status_t runStatus = TG_OK;
  /// The number of times that a run enqueues its operations; the last one
  /// counts.
  int repetitions = 1;
  /// The keys of runs: the function, and whether the run may be repeated.
  std::vector<std::pair<const tg_function_t *, bool>> keys;

private:
  /// Counts an operation. Returns the status with which it fails, or TG_OK.
  tg_status_t count();
  static tg_status_t launch(void *device, void *stream, void *image,
                            uint32_t kernel, uint32_t blockCount,
                            uint32_t blockThreads, const uint64_t *arguments,
                            uint32_t argumentCount);
  static tg_status_t launchGrid(void *device, void *stream, void *image,
                                uint32_t kernel, const uint32_t blocks[3],
                                const uint32_t threads[3], uint32_t sharedBytes,
                                const uint64_t *arguments,
                                uint32_t argumentCount);
  static tg_status_t copy(void *device, void *stream, void *to,
                          const void *from, uint64_t bytes, uint32_t direction);
  static tg_status_t fill(void *device, void *stream, void *memory,
                          uint8_t value, uint64_t bytes);
  static tg_status_t wait(void *device, void *stream);
  static tg_status_t runAll(void *device, void *stream,
                            const tg_device_key_t *key, tg_enqueue_fn *enqueue,
                            void *argument);
  static const char *errorText(void *device);

  std::vector<CUmodule> modules;
  /// The kernels of each image.
  std::vector<std::vector<CUfunction>> kernels;
  std::vector<void *> images;
  std::unique_ptr<Buffer> slab, constants, workspace;
  std::unique_ptr<AlignedMemory> hostBlock;
  tg_call_t call = {};
};

/// Returns the location of the error of a host as text, because the tables of
/// two targets may number locations differently.
template <typename Host> std::string locationOf(const Host &host) {
  const tg_model_t &model = host.table.model();
  if (uint32_t(host.error.location) >= model.location_count)
    return "";
  const tg_location_t &location = *model.locations[host.error.location];
  return std::string(location.file) + ":" + std::to_string(location.line) +
         ":" + std::to_string(location.column) + " " + location.op + " " +
         location.layer;
}

} // namespace tg::test

#endif // TG_TEST_DEVICES_SUPPORT_BAREHOST_H
