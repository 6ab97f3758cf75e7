/// NVIDIA's driver, libcuda.so.1, which is opened when a program needs it.
#ifndef TG_RUNTIME_CUDA_CUDADRIVER_H
#define TG_RUNTIME_CUDA_CUDADRIVER_H

#include "CudaTypes.h"
#include "ForkMark.h"

#include "tg/runtime.h"

#include <cstddef>

namespace tg {

/// The functions of the driver, and its failures as statuses. Any thread,
/// except for open().
class CudaDriver {
public:
  CudaDriver() = default;
  CudaDriver(const CudaDriver &) = delete;
  ~CudaDriver();

  /// Opens the driver and initializes it. Fails with TG_ERROR_NO_DRIVER,
  /// TG_ERROR_OLD_DRIVER, or TG_ERROR_NOT_FOUND if the system has no GPU.
  tg_status_t open(tg_error_t *error);

  /// Makes a context current. Fails in a process that was forked since open().
  CUresult enter(CUcontext context) const {
    return mark.isInChild() ? CUDA_FORKED : cuCtxPushCurrent_v2(context);
  }
  /// Returns true in a process that was forked since open(), in which no
  /// function may be called.
  bool isForked() const { return mark.isInChild(); }

  /// Returns the version of CUDA that the driver is for, as 12000 for 12.0.
  int version() const { return cudaVersion; }

  /// Returns the status for a result.
  static tg_status_t statusOf(CUresult result);
  /// Writes a sentence on a failure: "cannot <action>: CUDA_ERROR_..., text".
  void describe(const char *action, CUresult result, char (&text)[256]) const;
  /// Fails with the status for a result, unless it is a success.
  tg_status_t check(CUresult result, const char *action,
                    tg_error_t *error) const;

#define REQUIRED(name, parameters) CUresult(*name) parameters = nullptr;
#define OPTIONAL(name, parameters) CUresult(*name) parameters = nullptr;
#include "CudaFunctions.def"
#undef REQUIRED
#undef OPTIONAL

private:
  /// Looks up a function; null if the driver lacks it.
  template <typename Function> void find(Function *&function, const char *name);
  /// Looks up all functions. Returns the name of a missing one, or null.
  const char *findAll();
  /// Starts the driver, which must be new enough and complete.
  tg_status_t start(const char *missing, tg_error_t *error);

  ForkMark mark;
  void *library = nullptr;
  int cudaVersion = 0;
};

/// Returns a pointer to memory of a GPU as an address of the driver.
inline CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

/// Makes the primary context of a device current for the calling thread until
/// the end of the scope.
class CudaScope {
public:
  CudaScope(const CudaDriver &driver, CUcontext context)
      : driver(driver), result(driver.enter(context)) {}
  CudaScope(const CudaScope &) = delete;
  ~CudaScope() {
    CUcontext popped;
    if (result == CUDA_SUCCESS)
      driver.cuCtxPopCurrent_v2(&popped);
  }

  /// Returns the result of call() in the context, or why the context is not
  /// current.
  template <typename Call> CUresult run(Call call) const {
    return result == CUDA_SUCCESS ? call() : result;
  }

private:
  const CudaDriver &driver;
  const CUresult result;
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDADRIVER_H
