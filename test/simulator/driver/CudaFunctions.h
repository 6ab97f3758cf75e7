/// The prototypes of CUDA's driver API that the simulator has.
#ifndef TG_TEST_SIMULATOR_DRIVER_CUDAFUNCTIONS_H
#define TG_TEST_SIMULATOR_DRIVER_CUDAFUNCTIONS_H

#include "CudaTypes.h"

extern "C" {

// Each function does what the documentation of the driver API says.
#define FUNCTION(name, parameters)                                             \
  __attribute__((visibility("default"))) CUresult name parameters;
#define ALIAS(name, function)                                                  \
  extern __attribute__((visibility("default"))) decltype(function) name;
#include "CudaFunctions.def"
#undef FUNCTION
#undef ALIAS

} // extern "C"

#endif
