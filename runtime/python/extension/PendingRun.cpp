/// Runs that Python begins and finishes in two calls: the class tgc.Run.
#include "Collected.h"
#include "Context.h"
#include "Docs.h"

namespace tg::python {

/// The message of a second finish().
static constexpr char runHasEnded[] =
    "finish: the run has ended, expected one call for each run";

//===-- Contexts ---------------------------------------------------------===//

nb::object ContextObject::begin(const nb::args &arguments,
                                const nb::kwargs &named) {
  // The object is made first, since a run that has begun needs one.
  auto made =
      std::make_unique<RunObject>(nb::cast(this, nb::rv_policy::reference));
  const RunObject *run = made.get();
  nb::object result = nb::cast(std::move(made));
  const Use use(*this, "begin");
  prepare("begin", arguments, named);
  try {
    runCall(tg_context_begin);
  } catch (...) {
    // A print raised an exception within a run that has begun.
    withoutGil([&] { tg_context_finish(context().handle(), nullptr); });
    throw;
  }
  begun = run;
  return result;
}

namespace {

/// The end of a run of a context, at the end of a scope.
template <typename End> struct Ending {
  End end;
  ~Ending() { end(); }
};

} // namespace

nb::object ContextObject::finish(const RunObject &run) {
  if (begun != &run)
    fail(TG_ERROR_NOT_FOUND, runHasEnded);
  if (isEnding)
    fail(TG_ERROR_BUSY, "finish: another call waits for the run, expected one "
                        "call");
  isEnding = true;
  const Ending ending{[this] {
    begun = nullptr;
    endUse();
    isEnding = false;
  }};
  ErrorBuffer error;
  host->clear();
  const tg_status_t status =
      withoutGil([&] { return tg_context_finish(made->handle(), &error); });
  checkCall(status, error);
  return takeOutputs();
}

void ContextObject::abandon(const RunObject &run) noexcept {
  if (begun != &run || isEnding)
    return;
  const nb::error_scope current;
  isEnding = true;
  withoutGil([&] { tg_context_finish(made->handle(), nullptr); });
  host->clear();
  begun = nullptr;
  endUse();
  isEnding = false;
}

//===-- Runs -------------------------------------------------------------===//

nb::object RunObject::finish() {
  if (!context.is_valid())
    fail(TG_ERROR_NOT_FOUND, runHasEnded);
  // The context stays until the end, also if the run is dropped meanwhile.
  const nb::object kept = context;
  return nb::inst_ptr<ContextObject>(kept)->finish(*this);
}

int RunObject::traverse(visitproc visit, void *arg) const {
  Py_VISIT(context.ptr());
  return 0;
}

void RunObject::drop() noexcept {
  const nb::object kept = std::move(context);
  if (kept.is_valid())
    nb::inst_ptr<ContextObject>(kept)->abandon(*this);
}

void bindRun(nb::module_ &module) {
  nb::class_<RunObject>(module, "Run",
                        nb::type_slots(Collected<RunObject>::slots),
                        docs::runClass)
      .def("finish", &RunObject::finish, nb::sig(docs::finishSignature),
           docs::finish);
}

} // namespace tg::python
