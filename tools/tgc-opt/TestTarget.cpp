//===- TestTarget.cpp - a target for tests of passes ----------------------===//
#include "tools/tgc-opt/TestTarget.h"
#include "compiler/target/TargetModel.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tg;

namespace {
class TestTargetModel : public TargetModel {
public:
  StringRef getKind() const override { return "test"; }

  SmallVector<TargetDescription>
  describeTargets(tgx::TargetAttr target) const override {
    auto numberOf = [&](StringRef name, int64_t otherwise) {
      DictionaryAttr properties = target.getProperties();
      auto number = properties ? properties.getAs<IntegerAttr>(name) : nullptr;
      return number ? number.getInt() : otherwise;
    };
    TargetDescription description;
    description.alignment = numberOf("alignment", description.alignment);
    description.usesAlignments = numberOf("uses_alignments", 0);
    description.joinedSlots = numberOf("joined_slots", 0);
    description.leastPartRowBytes = numberOf("least_part_row_bytes", 0);
    description.l2Bytes = numberOf("l2_bytes", 0);
    description.nearCacheBytes = numberOf("near_cache_bytes", 0);
    description.totalCacheBytes = numberOf("total_cache_bytes", 0);
    return {description};
  }
};

struct SetTarget : PassWrapper<SetTarget, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SetTarget)

  SetTarget() = default;
  SetTarget(const SetTarget &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "tg-set-target"; }
  StringRef getDescription() const override {
    return "Set the target of the module";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tgx::TgxDialect>();
  }

  void runOnOperation() override {
    DictionaryAttr dictionary;
    if (!properties.empty()) {
      dictionary = dyn_cast_if_present<DictionaryAttr>(
          parseAttribute(properties, &getContext()));
      if (!dictionary)
        return signalPassFailure();
    }
    getOperation()->setAttr(tgx::kTargetAttr,
                            tgx::TargetAttr::get(&getContext(), kind.getValue(),
                                                 optimization, dictionary));
  }

  Option<std::string> kind{*this, "kind", llvm::cl::init("cpu"),
                           llvm::cl::desc("The kind of target")};
  Option<unsigned> optimization{*this, "optimization", llvm::cl::init(2),
                                llvm::cl::desc("The -O level")};
  Option<std::string> properties{*this, "properties",
                                 llvm::cl::desc("A dictionary attribute")};
};
} // namespace

void tg::registerTestTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, tgx::TgxDialect *dialect) {
    static const TestTargetModel model;
    registerTargetModel(*dialect, model);
  });
}

void tg::registerSetTargetPass() { PassRegistration<SetTarget>(); }
