//===- PackWeights.cpp - weights in the layout that contractions read -----===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/ContractionOps.h"
#include "dialects/tg/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Makes the kernels that packing needs, each once.
class PackingKernels {
public:
  PackingKernels(ModuleOp module, int64_t panelBytes)
      : symbols(module), panelBytes(panelBytes) {}

  /// ⌈n / w⌉ x k x w panels of a [k, n] matrix, w columns together.
  RankedTensorType panelType(RankedTensorType type, bool transpose) const;
  /// The kernel that packs a matrix of this type.
  tgx::KernelOp pack(RankedTensorType type, bool transpose, Location loc);
  /// `kernel` with the rhs of its matmul, argument `number`, as panels.
  tgx::KernelOp unpack(tgx::KernelOp kernel, unsigned number);

private:
  SymbolTable symbols;
  int64_t panelBytes;
  llvm::StringMap<tgx::KernelOp> known;
};
} // namespace

RankedTensorType PackingKernels::panelType(RankedTensorType type,
                                           bool transpose) const {
  int64_t k = type.getDimSize(transpose ? 1 : 0);
  int64_t n = type.getDimSize(transpose ? 0 : 1);
  int64_t width = panelBytes / elementBytes(type.getElementType());
  return RankedTensorType::get({(n + width - 1) / width, k, width},
                               type.getElementType());
}

/// ()[s...] -> (the static extents of the type).
static AffineMapAttr extentsOf(RankedTensorType type, unsigned symbolCount) {
  SmallVector<AffineExpr> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(getAffineConstantExpr(extent, type.getContext()));
  return AffineMapAttr::get(
      AffineMap::get(0, symbolCount, extents, type.getContext()));
}

tgx::KernelOp PackingKernels::pack(RankedTensorType type, bool transpose,
                                   Location loc) {
  std::string name = "pack_" + std::to_string(type.getDimSize(0)) + "x" +
                     std::to_string(type.getDimSize(1)) +
                     (type.getElementType().isF32() ? "_f32" : "_f64") +
                     (transpose ? "_transposed" : "");
  tgx::KernelOp &kernel = known[name];
  if (kernel)
    return kernel;
  OpBuilder builder(type.getContext());
  kernel = tgx::KernelOp::create(builder, loc, name, tgx::Strategy::custom,
                                 /*symbol_count=*/0,
                                 builder.getArrayAttr({extentsOf(type, 0)}),
                                 builder.getArrayAttr({builder.getUnitAttr()}));
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  Value panels = tgx::PackOp::create(
      builder, loc, panelType(type, transpose), body.addArgument(type, loc),
      transpose ? builder.getUnitAttr() : UnitAttr());
  tgx::YieldOp::create(builder, loc, panels);
  symbols.insert(kernel);
  return kernel;
}

tgx::KernelOp PackingKernels::unpack(tgx::KernelOp kernel, unsigned number) {
  std::string name = (kernel.getSymName() + "_packed").str();
  tgx::KernelOp &packed = known[name];
  if (packed)
    return packed;
  packed = kernel.clone();
  packed.setSymName(name);
  Block &body = packed.getBlock();
  BlockArgument argument = body.getArgument(number);
  auto matmul = cast<MatmulOp>(*argument.getUsers().begin());
  auto type = cast<RankedTensorType>(argument.getType());
  bool transpose = matmul.getTransposeRhs();
  RankedTensorType panels = panelType(type, transpose);
  int64_t k = type.getDimSize(transpose ? 1 : 0);
  int64_t n = type.getDimSize(transpose ? 0 : 1);

  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto unpacked = tgx::UnpackOp::create(
      builder, argument.getLoc(),
      RankedTensorType::get({k, n}, type.getElementType()), argument);
  argument.replaceAllUsesExcept(unpacked, unpacked);
  argument.setType(panels);
  matmul.setTransposeRhs(false);
  SmallVector<Attribute> extents(kernel.getArgumentExtents().getValue());
  extents[number] = extentsOf(panels, kernel.getSymbolCount());
  packed.setArgumentExtentsAttr(builder.getArrayAttr(extents));
  symbols.insert(packed);
  return packed;
}

/// The number of the argument that is the rhs of the kernel's matmul and
/// nothing else, and a plain matrix; none if there is no such argument.
static std::optional<unsigned> findWeights(tgx::KernelOp kernel) {
  auto matmuls = kernel.getBlock().getOps<MatmulOp>();
  if (matmuls.empty())
    return std::nullopt;
  MatmulOp matmul = *matmuls.begin();
  auto rhs = dyn_cast<BlockArgument>(matmul.getRhs());
  if (!rhs || !rhs.hasOneUse())
    return std::nullopt;
  auto type = cast<RankedTensorType>(rhs.getType());
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !isa<FloatType>(type.getElementType()))
    return std::nullopt;
  return rhs.getArgNumber();
}

namespace {
struct PackWeights : tg::impl::PackWeightsBase<PackWeights> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    if (panelBytes == 0)
      return;
    PackingKernels kernels(getOperation(), panelBytes);
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.getOps<AssignOp>().empty())
        packFunction(function, kernels);
    eraseUnusedKernels();
  }

  void packFunction(func::FuncOp function, PackingKernels &kernels) {
    DenseMap<std::pair<Value, Operation *>, Value> packed;
    for (tgx::CallOp call :
         llvm::make_early_inc_range(function.getOps<tgx::CallOp>())) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<tgx::KernelOp>(
          call, call.getKernelAttr());
      std::optional<unsigned> number = findWeights(kernel);
      if (kernel.getStrategy() != tgx::Strategy::contraction || !number)
        continue;
      auto read = call.getInputs()[*number].getDefiningOp<ReadOp>();
      if (!read)
        continue;
      auto type = cast<RankedTensorType>(read.getType());
      MatmulOp matmul = *kernel.getBlock().getOps<MatmulOp>().begin();
      tgx::KernelOp pack =
          kernels.pack(type, matmul.getTransposeRhs(), kernel.getLoc());
      OpBuilder builder(call);
      Value &panels = packed[{read, pack}];
      if (!panels)
        panels =
            tgx::CallOp::create(
                builder, read.getLoc(),
                TypeRange{kernels.panelType(type, matmul.getTransposeRhs())},
                FlatSymbolRefAttr::get(pack.getSymNameAttr()), ValueRange{read},
                AffineMapAttr::get(AffineMap::get(&getContext())))
                .getResult(0);
      call.setKernelAttr(FlatSymbolRefAttr::get(
          kernels.unpack(kernel, *number).getSymNameAttr()));
      call.getInputsMutable().slice(*number, 1).assign(panels);
      ++packedContractions;
    }
  }

  void eraseUnusedKernels() {
    llvm::DenseSet<StringAttr> used;
    getOperation().walk(
        [&](tgx::CallOp call) { used.insert(call.getKernelAttr().getAttr()); });
    for (tgx::KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<tgx::KernelOp>()))
      if (!used.contains(kernel.getSymNameAttr()))
        kernel.erase();
  }
};
} // namespace
