//===- Statistics.cpp - statistics of passes ------------------------------===//
#include "compiler/transforms/module/Statistics.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

#if LLVM_ENABLE_STATS
// The packaged MLIR is built without statistics: its constructor does not
// initialize the members of our counting statistics. This definition is hidden,
// so that MLIR's own passes keep theirs.
Pass::Statistic::Statistic(Pass *owner, const char *name,
                           const char *description)
    : llvm::Statistic{/*DebugType=*/"", name, description} {
  Initialized = true; // not printed at exit
  owner->statistics.push_back(this);
}
#endif

namespace {
class StatisticsPrinter : public PassInstrumentation {
public:
  explicit StatisticsPrinter(raw_ostream &stream) : stream(stream) {}

  void runAfterPass(Pass *pass, Operation *) override {
    // Statistics of MLIR's own passes have another layout.
    if (!pass->getArgument().starts_with("tg-") ||
        pass->getStatistics().empty())
      return;
#if LLVM_ENABLE_STATS
    stream << pass->getName() << "\n";
    for (const Pass::Statistic *statistic : pass->getStatistics())
      stream << "  (S) " << statistic->getValue() << " " << statistic->getName()
             << " - " << statistic->getDesc() << "\n";
#endif
  }

private:
  /// Without assertions nothing is counted, as in MLIR's own passes.
  [[maybe_unused]] raw_ostream &stream;
};
} // namespace

std::unique_ptr<PassInstrumentation>
tg::createStatisticsPrinter(raw_ostream &stream) {
  return std::make_unique<StatisticsPrinter>(stream);
}
