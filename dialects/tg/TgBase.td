//===- TgBase.td - the dialect, its types, attributes and base classes ----===//
#ifndef TG_DIALECTS_TG_TGBASE_TD
#define TG_DIALECTS_TG_TGBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/tg/TgInterfaces.td"

def Tg_Dialect : Dialect {
  let name = "tg";
  let cppNamespace = "::tg";
  let summary = "Tensor programs with explicit state and gradients";
  let description = [{
    Values are builtin ranked tensors without encoding. State is explicit:
    `tg.variable` declares it, `tg.read`, `tg.assign` and `tg.update` touch it.
    A gradient is requested by `tg.gradient` and expanded by a pass.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Registers the ops of all families.
    void registerOperations();

    /// Registers the ops of one family. Called in the file that defines them.
    template <typename... Ops>
    void registerFamily() {
      addOperations<Ops...>();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Types: the classes F, I, N, L, T and X of language.md
//===----------------------------------------------------------------------===//

/// Types that G1 rejects pass the type classes, because the verifier of every
/// op reports them first, with the label G1.
def Tg_Admitted : CPred<"::tg::isAdmittedTensor($_self)">;
class Tg_TensorOf<string elements, string what>
    : Type<Or<[Neg<Tg_Admitted>, CPred<"::tg::isTensorOf($_self, "
                                       "::tg::ElementClass::" # elements # ")">]>,
           "ranked tensor of " # what, "::mlir::RankedTensorType">;

def Tg_FloatTensor : Tg_TensorOf<"floating", "floats">;
def Tg_IntegerTensor : Tg_TensorOf<"integer", "integers">;
def Tg_NumericTensor : Tg_TensorOf<"numeric", "floats or integers">;
def Tg_LogicalTensor : Tg_TensorOf<"logical", "integers or boolean values (i1)">;
def Tg_Tensor : Tg_TensorOf<"any", "floats, integers or boolean values (i1)">;
def Tg_IndexTensor : Tg_TensorOf<"index", "indices (i32 or i64)">;
def Tg_BoolTensor : Tg_TensorOf<"boolean", "boolean values (i1)">;

/// A scalar is a rank-0 tensor.
def Tg_Int64Scalar : 0DTensorOf<[I64]>;   // an extent, a seed, a counter
def Tg_BoolScalar : 0DTensorOf<[I1]>;    // a condition
def Tg_FloatScalar
    : Type<And<[CPred<"::tg::isTensorOf($_self, ::tg::ElementClass::floating)">,
                HasAnyRankOfPred<[0]>]>,
           "0D tensor of floats", "::mlir::RankedTensorType">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A list of integers, printed plainly: [1, 2].
def Tg_IntegerListAttr : TypedArrayAttrBase<I64Attr, "list of integers"> {
  let returnType = "::llvm::SmallVector<int64_t>";
  let convertFromStorage = "::tg::integersOf($_self)";
  let constBuilderCall = "$_builder.getI64ArrayAttr($0)";
}

/// A list that may be absent.
def Tg_OptionalListAttr : OptionalAttr<Tg_IntegerListAttr>;

/// An element type. Its accessor returns the attribute, because the generated
/// builders cannot have a default that needs a context.
def Tg_ElementTypeAttr : TypeAttrBase<"::mlir::Type", "element type"> {
  let returnType = storageType;
  let convertFromStorage = "$_self";
  let constBuilderCall = "::mlir::TypeAttr::get($0)";
}

/// The order of the additions of a sum.
def Tg_OrderAttr : AttrDef<Tg_Dialect, "Order"> {
  let mnemonic = "order";
  let summary = "The order in which a sum is taken";
  let description = [{
    Floating-point addition is not associative, so the order of a sum is part of
    the program. Everything after the phase `numerics` keeps it; bits.md defines
    it op by op.

    A sum has a sequence of elements. A step takes `lanes` x `accumulators` of
    them: element i of a step is added to lane i mod `lanes` of accumulator
    i / `lanes`. `blocks` are lengths of nested blocks, the smallest first: a
    block of blocks[0] steps, each step added to its accumulators in order; a
    block of blocks[1] such blocks, and so on. All blocks of the largest kind
    are added in order. If `blocks` is empty, all steps form one block. At the
    end of a smallest block its accumulators become one, and at the end of a
    block of the second kind (of the sum, if there is none) its lanes.

    `lines` are lengths of nested blocks of a sum over several sums. A reduction
    first sums each line, which is the elements along the reduced axes after the
    last axis that is not reduced. Then it adds the lines, one a step. With
    `tile` the last two of the other reduced axes are divided into tiles of so
    many elements (0: the whole axis), and a step adds the sum of a tile.

    `winograd` is the number of positions of a tile along an axis, 4 or 2, if a
    convolution or a gradient of one is computed by Winograd's algorithm,
    F(4x4, 3x3) or F(2x2, 3x3) of Lavin and Gray, 2016. The sum is then one of
    products of transformed tiles, over channels or, in the gradient of a
    filter, over tiles.

    ```mlir
    %y = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64]>} : (tensor<9x100xf32>) -> tensor<9xf32>
    ```

    The lanes are a power of two up to 64, the accumulators a power of two up to
    16, and each length is from 1 to 2^20. A tile has two extents and lines.
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "1">:$lanes,
    DefaultValuedParameter<"int64_t", "1">:$accumulators,
    OptionalArrayRefParameter<"int64_t">:$blocks,
    OptionalArrayRefParameter<"int64_t">:$lines,
    OptionalArrayRefParameter<"int64_t">:$tile,
    DefaultValuedParameter<"int64_t", "0">:$winograd);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of elements of a step.
    int64_t getStepElements() const {
      return getLanes() * getAccumulators();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

/// Checks G1 (types) and G5 (attributes), which hold for every op.
def Tg_GeneralConstraints : NativeOpTrait<"GeneralConstraints"> {
  let cppNamespace = "::tg::OpTrait";
}

/// Ops with a gradient rule.
def Tg_Differentiable
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>;

/// Ops without a gradient rule. A gradient that needs to flow through such an op
/// is an error.
def Tg_NonDifferentiable : NativeOpTrait<"NonDifferentiable"> {
  let cppNamespace = "::tg::OpTrait";
}

/// Definitions of `countFlops` for ops that compute each element of their
/// result once, and for ops that move elements.
defvar Tg_OneFlopPerElement = [{
    ::mlir::AffineExpr $cppClass::countFlops(
        const ::tg::ExtentAnalysis &extents) {
      return extents.countElements((*this)->getResult(0));
    }
  }];
defvar Tg_NoFlops = [{
    ::mlir::AffineExpr $cppClass::countFlops(const ::tg::ExtentAnalysis &) {
      return ::mlir::getAffineConstantExpr(0, getContext());
    }
  }];

/// Every op of the dialect.
class Tg_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tg_Dialect, mnemonic, [Tg_GeneralConstraints] # traits>;

/// An op that defines its result types by one function over its operands and
/// attributes:
///   static LogicalResult inferResults(Adaptor, ShapeInference &,
///                                     SmallVectorImpl<TensorExtents> &)
/// Result types (verifier, DSL) and extents at run time (shapes, memory plan,
/// kernels) both follow from this function. The op also has a cost.
class Tg_InferredOp<string mnemonic, list<Trait> traits = []>
    : Tg_Op<mnemonic, [
        DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>,
        DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>,
        DeclareOpInterfaceMethods<Tg_CostOpInterface>
      ] # traits> {
  code inferredDeclaration = [{
    /// Computes the extents and element types of the results.
    static ::llvm::LogicalResult
    inferResults(Adaptor adaptor, ::tg::ShapeInference &inference,
                 ::llvm::SmallVectorImpl<::tg::TensorExtents> &results);
  }];
  code inferredDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> loc,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::tg::inferTypesFromExtents<$cppClass>(
          context, loc, operands, attributes, properties, regions, types);
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> loc,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      ::llvm::SmallVector<::mlir::Type> inferred;
      if (failed(inferReturnTypes(context, loc, operands, attributes,
                                  properties, regions, inferred)))
        return ::mlir::failure();
      return ::tg::checkResultTypes(getOperationName(), loc, inferred, types);
    }
    ::llvm::LogicalResult $cppClass::inferExtents(
        ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return inferResults(Adaptor(*this), inference, results);
    }
  }];
  // An op with declarations of its own writes
  //   let extraClassDeclaration = inferredDeclaration # [{ ... }];
  let extraClassDeclaration = inferredDeclaration;
  let extraClassDefinition = inferredDefinition;
}

/// `%y = tg.<op> %x {attributes} : type`, together with the trait that the
/// operand has the type of the result.
defvar Tg_ShortForm = "$input attr-dict `:` type($result)";
def Tg_SameType : TypesMatchWith<"input and result have one type", "result",
                                 "input", "$_self">;

/// `%r = tg.<op> %a, %b {attributes} : (operand types) -> result types`
defvar Tg_FullForm = "operands attr-dict `:` functional-type(operands, results)";

#endif // TG_DIALECTS_TG_TGBASE_TD
