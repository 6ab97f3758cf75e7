/// The extension module tgc._runtime.
#include "Context.h"

NB_MODULE(_runtime, module) {
  using namespace tg::python;
  // Objects may be alive when an interpreter ends, and libraries print nothing.
  nb::set_leak_warnings(false);
  module.attr("__doc__") = "The interface of libtgrt, the runtime of tgc.";
  module.attr("abi") =
      nb::make_tuple(tg_runtime_abi() >> 16, tg_runtime_abi() & 0xffff);
  translateErrors();
  bindModel(module);
  bindContext(module);
}
