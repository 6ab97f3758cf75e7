//===- ProductThreads.cpp - a thread for each sum of products -------------===//
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/product/SlicedSum.h"
#include "compiler/codegen/cuda/product/TiledProduct.h"
#include "compiler/codegen/cuda/product/WindowRun.h"
#include "compiler/codegen/cuda/winograd/WinogradThreads.h"
#include "compiler/codegen/kernel/sums/ProductSum.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::emitProducts(ThreadFrame &frame) {
  Block &body = frame.kernel.getBlock();
  auto products = body.getOps<ContractionOpInterface>();
  if (products.empty())
    return frame.kernel.emitOpError() << "expected a contraction, found none";
  ContractionOpInterface product = *products.begin();
  Contraction contraction = product.getContraction(frame.getAnalysis());
  if (orderOf(product).getWinograd())
    return emitWinograd(frame, contraction);
  ProductMatrix matrix(contraction);
  if (std::optional<TileShape> tile = findProductTile(frame, matrix))
    return emitTiledProduct(frame, matrix, *tile);
  if (std::optional<WindowRun> run = findWindowRun(frame, contraction))
    return emitWindowRun(frame, contraction, *run);
  if (unsigned threads = findSumThreads(frame, contraction); threads > 1)
    return emitSlicedSum(frame, contraction, threads);
  ElementEmitter elements(frame);
  elements.provide(
      contraction.result.value, [&](const Position &position, unsigned lanes) {
        return ProductSum(elements, contraction, lanes).emit(position);
      });
  // The threads of a group compute the products that they reduce.
  return body.getOps<ReductionOpInterface>().empty()
             ? emitElements(frame, elements)
             : emitReducedGroups(frame, elements);
}
