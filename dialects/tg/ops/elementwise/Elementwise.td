//===- Elementwise.td - the base classes of all elementwise ops -----------===//
#ifndef TG_DIALECTS_TG_ELEMENTWISE_TD
#define TG_DIALECTS_TG_ELEMENTWISE_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

/// Shape rule, element rule and purity, the same for all ops of the family.
class Tg_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>,
        DeclareOpInterfaceMethods<Tg_ElementwiseOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  /// True if the op is emitted as a polynomial that approximates a function.
  bit transcendental = 0;
  code elementDefinition = Tg_OneFlopPerElement # [{
    bool $cppClass::isTranscendental() { return }] #
      !if(transcendental, "true", "false") # [{; }
    ::mlir::Value $cppClass::buildElement(::tg::ElementBuilder &element,
                                          const ::tg::Position &position) {
      return ::tg::buildElementwiseElement(*this, element, position);
    }
    bool $cppClass::isElementwise() { return true; }
  }];
  let extraClassDefinition = inferredDefinition # elementDefinition;
}

class Tg_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, [Tg_SameType] # traits> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = Tg_ShortForm;
  code unaryDefinition = inferredDefinition # elementDefinition # [{
    ::llvm::LogicalResult $cppClass::inferResults(
        Adaptor adaptor, ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return ::tg::inferUnary(adaptor.getInput(), inference, results);
    }
  }];
  let extraClassDefinition = unaryDefinition;
}

/// `elements` is the tg::ElementClass of the operands.
class Tg_BinaryOp<string mnemonic, string elements, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins Tg_Tensor:$lhs, Tg_Tensor:$rhs);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition = inferredDefinition # elementDefinition # [{
    ::llvm::LogicalResult $cppClass::inferResults(
        Adaptor adaptor, ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return ::tg::inferBinary(adaptor.getLhs(), adaptor.getRhs(),
                               ::tg::ElementClass::}] # elements # [{, inference,
                               results);
    }
  }];
}

/// A function of one float. It is emitted as an op of the math dialect and
/// evaluated in double by a function of the C++ library.
class Tg_MathOp<string mnemonic, string scalarOp, Trait gradient,
                    string function = mnemonic>
    : Tg_UnaryOp<mnemonic, Tg_FloatTensor, [gradient]> {
  let extraClassDefinition = unaryDefinition # [{
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
                                         ::mlir::Location loc,
                                         ::mlir::ValueRange operands) {
      return ::mlir::math::}] # scalarOp # [{::create(builder, loc,
                                                      operands[0]);
    }
    ::std::string $cppClass::evaluate(
        ::llvm::ArrayRef<::tg::HostTensor> operands,
        ::llvm::MutableArrayRef<::tg::HostTensor> results) {
      return ::tg::evaluateFunction(operands, results, [](double x) {
        return ::std::}] # function # [{(x);
      });
    }
  }];
}

/// Ops whose gradient rule passes no cotangent to the operands.
def Tg_WithoutCotangent
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface,
                                ["passesGradient"]>;

/// `div` and `remainder`, which fail on an integer divisor of 0.
def Tg_CheckedDivisor
    : DeclareOpInterfaceMethods<Tg_CheckedOpInterface, ["getCheckedName"]>;

/// Ops that define `isLinearIn` and `findResult`.
def Tg_Linear : DeclareOpInterfaceMethods<Tg_LinearOpInterface>;

/// The trait of ops that compute extents: a result of type i64 and rank 0 may be
/// a symbolic extent.
def Tg_ExtentArithmetic
    : DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferSize"]>;

#endif // TG_DIALECTS_TG_ELEMENTWISE_TD
