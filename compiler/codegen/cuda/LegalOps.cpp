//===- LegalOps.cpp - the ops that have a form in PTX ---------------------===//
#include "compiler/codegen/cuda/LegalOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tg;

namespace {
/// A set of types of operands and results.
enum Types : unsigned {
  /// Integers of 1, 8, 16, 32 and 64 bits.
  Integers = 1,
  /// f32 and f64.
  Floats = 2,
  /// Pointers of any address space.
  Pointers = 4,
  /// The result of a compare and exchange: the old integer, and an i1.
  Exchanged = 8,
  /// The elements of a matrix that a thread has: four f32.
  Matrices = 16,
  /// Vectors of such integers and floats. One instruction loads or stores them;
  /// LLVM divides their arithmetic.
  Vectors = 32,
  Everything = Integers | Floats | Pointers | Matrices
};

/// Some ops of the LLVM dialect, without its name, and the types that they
/// take.
struct OpList {
  Types types;
  StringLiteral names;
};
} // namespace

static constexpr OpList kLegalOps[] = {
    {Types(Integers | Vectors),
     "add sub mul udiv sdiv urem srem and or xor shl lshr trunc zext sext "
     "intr.smax intr.smin intr.umax intr.umin intr.ctlz"},
    {Types(Floats | Vectors),
     "fadd fsub fmul fdiv fneg intr.fma intr.sqrt intr.fabs intr.floor "
     "intr.roundeven intr.copysign intr.maximum "
     "intr.minimum fptrunc fpext"},
    {Types(Everything | Vectors),
     "func return br cond_br bitcast select icmp fcmp "
     "mlir.global mlir.addressof "
     "mlir.constant sitofp uitofp fptosi fptoui getelementptr inttoptr "
     "ptrtoint intr.assume"},
    {Types(Everything | Vectors),
     "load store extractelement insertelement shufflevector mlir.poison "
     "intr.vector.reduce.or"}};

/// The first letters of the names of intrinsics.
static constexpr StringLiteral kLegalIntrinsics[] = {
    "llvm.nvvm.read.ptx.sreg.",
    "llvm.nvvm.barrier.cta.sync.aligned.all",
    "llvm.nvvm.bar.warp.sync",
    "llvm.nvvm.shfl.sync.",
    "llvm.nvvm.f2tf32.rna",
    "llvm.nvvm.mma.m16n8k8.row.col.tf32",
    "llvm.nvvm.cp.async.ca.shared.global.",
    "llvm.nvvm.cp.async.cg.shared.global.16",
    "llvm.nvvm.cp.async.commit.group",
    "llvm.nvvm.cp.async.wait.group"};

/// Returns the types that an op may take; 0 if it is not on the list.
static unsigned typesOf(Operation *op) {
  // The order of additions of floats by atomic operations is open.
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    return llvm::is_contained({LLVM::AtomicBinOp::min, LLVM::AtomicBinOp::add},
                              atomic.getBinOp())
               ? Integers | Pointers
               : 0;
  if (isa<LLVM::AtomicCmpXchgOp>(op))
    return Integers | Pointers | Exchanged;
  if (isa<LLVM::ExtractValueOp>(op))
    return Everything | Exchanged;
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return llvm::any_of(kLegalIntrinsics,
                        [&](StringRef prefix) {
                          return call.getIntrin().starts_with(prefix);
                        })
               ? Everything
               : 0;
  static const llvm::StringMap<unsigned> list = [] {
    llvm::StringMap<unsigned> result;
    for (const OpList &each : kLegalOps)
      for (StringRef name : llvm::split(each.names, ' '))
        result[name] = each.types;
    return result;
  }();
  StringRef name = op->getName().getStringRef();
  return name.consume_front("llvm.") ? list.lookup(name) : 0;
}

/// Returns the set that a type belongs to; 0 for other types.
static unsigned setOf(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return Pointers;
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    ArrayRef<Type> fields = record.getBody();
    if (fields.size() == 4 && llvm::all_equal(fields) &&
        fields[0] == Float32Type::get(type.getContext()))
      return Matrices;
    return fields.size() == 2 && fields[0].isInteger(64) &&
                   fields[1].isInteger(1)
               ? Exchanged
               : 0;
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getRank() == 1 &&
                   setOf(vector.getElementType()) & (Integers | Floats)
               ? Vectors
               : 0;
  if (!type.isIntOrFloat())
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    return llvm::is_contained({32u, 64u}, bits) ? Floats : 0;
  return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, bits) ? Integers : 0;
}

/// Verifies the name and the types of an op.
static LogicalResult verifyOp(Operation *op) {
  unsigned legal = typesOf(op);
  if (!legal)
    return op->emitOpError("expected an op that has a form in PTX, found one "
                           "that is not on the list");
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!(setOf(type) & legal))
        return op->emitOpError("expected types that have a form in PTX, found ")
               << type;
  return success();
}

LogicalResult tg::verifyLegalOps(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    return isa<ModuleOp>(op) || succeeded(verifyOp(op))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
