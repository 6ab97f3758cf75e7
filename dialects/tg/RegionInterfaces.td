//===- RegionInterfaces.td - interfaces of ops with regions, and in loops -===//
#ifndef TG_DIALECTS_TG_REGIONINTERFACES_TD
#define TG_DIALECTS_TG_REGIONINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tg_RegionOpInterface : OpInterface<"RegionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that run regions of tg ops, which see the values around them: branches
    and loops.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes all results from the given operands. `run` returns the values
        that a block yields for its arguments, or a failure. Returns an empty
        string, or the message of a run-time failure.
      }], "::std::string", "evaluateRegions",
      (ins "::llvm::ArrayRef<::tg::HostTensor>":$operands,
           "::tg::RunBlock":$run,
           "::llvm::SmallVectorImpl<::tg::HostTensor> &":$results)>,
    InterfaceMethod<[{
        Returns the types that a region must yield, by the operands and results.
      }], "::llvm::SmallVector<::mlir::Type>", "getYieldTypes",
      (ins "unsigned":$region)>,
    InterfaceMethod<[{
        Sets the types of the arguments of regions, which follow from the
        operands. Extents that vary between iterations become dynamic.
      }], "void", "refineArguments",
      (ins "const ::tg::ExtentAnalysis &":$analysis), "", "return;">,
    InterfaceMethod<[{
        Replaces the op by one that carries more values: through the iterations
        of a loop, or to the end of each region of a branch. The values stay
        unchanged until the regions yield others.
      }], "::tg::Carried", "carry", (ins "::mlir::ValueRange":$inits)>,
    InterfaceMethod<[{
        Sets the types of the results, which follow from the operands and from
        the yielded values, and makes the regions yield these types.
      }], "void", "refineResults", (ins)>
  ];
}

def Tg_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of the body of a loop that can be computed for all its steps at once. An
    operand is then the same for all steps or, if `stepped` marks it, has a
    leading axis of steps. At least one operand is stepped.
  }];
  let methods = [
    InterfaceMethod<"Returns true if the op can be computed for all steps at once.",
      "bool", "canBatch", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<"Builds the result for all steps, stacked along axis 0.",
      "::mlir::Value", "buildBatched",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Returns true if the sum of the results over all steps costs no more than
        the results.
      }], "bool", "canSumSteps", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Returns true if it is worth saving the varying operands of all steps to
        compute the sum of the results: they have fewer elements than each step
        would add to a carried sum.
      }], "bool", "isSummedForLess", (ins "::llvm::ArrayRef<bool>":$stepped), "",
      "return false;">,
    InterfaceMethod<"Builds the sum of the results over all steps.",
      "::mlir::Value", "buildSumOfSteps",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>
  ];
}

def Tg_DifferentiableRegionOpInterface
    : OpInterface<"DifferentiableRegionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The reverse-mode rule of an op whose regions see the values around them.
    These values have cotangents like operands.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns all flows of values between the op and its regions.
      }], "::llvm::SmallVector<::tg::ValueFlow>", "getValueFlows", (ins)>,
    InterfaceMethod<[{
        Builds simpler ops before this one, to be differentiated in its place,
        and returns the values that replace its results. Returns an empty list
        if the op itself is differentiated.
      }], "::llvm::SmallVector<::mlir::Value>", "splitForGradient",
      (ins "::mlir::OpBuilder &":$builder), "", "return {};">,
    InterfaceMethod<[{
        Builds the cotangents of operands and of values from outside that the
        regions use, with ordinary tg ops, from the cotangents of the results
        (null where absent). Returns pairs of value and cotangent; a value has
        several pairs if several of its uses have a cotangent. May replace the
        op by one that also computes the values that the cotangents need.
      }], "::llvm::FailureOr<::llvm::SmallVector<"
          "::std::pair<::mlir::Value, ::mlir::Value>>>",
      "buildRegionGradient",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
           "::tg::RegionDifferentiator &":$differentiator)>
  ];
}

#endif // TG_DIALECTS_TG_REGIONINTERFACES_TD
