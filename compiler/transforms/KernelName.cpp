//===- KernelName.cpp - what a kernel is called ---------------------------===//
#include "compiler/transforms/KernelName.h"
#include "compiler/transforms/GradientLocation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

/// Mnemonics in a name, and letters that may come of each and of the place.
static constexpr size_t kMaximumWords = 4, kMaximumWord = 15,
                        kMaximumPlace = 32;

/// Mnemonics of the cluster in program order, each once: first of all those of
/// products, reductions and custom kernels, then the first ones.
static SmallVector<StringRef> chooseWords(const Cluster &cluster) {
  llvm::SetVector<StringRef> all, chosen;
  auto mnemonic = [](Operation *op) { return op->getName().stripDialect(); };
  // What is checked behind an op says nothing of a kernel.
  for (Operation *op : cluster.ops)
    if (!isa<tgx::CheckFiniteOp>(op) || cluster.ops.size() == 1)
      all.insert(mnemonic(op));
  for (Operation *op : cluster.ops)
    if (!isa<ElementOpInterface>(op) && chosen.size() < kMaximumWords)
      chosen.insert(mnemonic(op));
  for (StringRef word : all)
    if (chosen.size() < kMaximumWords)
      chosen.insert(word);
  SmallVector<StringRef> words;
  llvm::copy_if(all, std::back_inserter(words),
                [&](StringRef word) { return chosen.contains(word); });
  return words;
}

/// The path of the layer that the op says it belongs to; "" for none.
static StringRef layerOf(Operation *op) {
  StringRef layer;
  op->getLoc()->walk([&](Location location) {
    auto named = dyn_cast<NameLoc>(location);
    if (!named)
      return WalkResult::advance();
    layer = named.getName();
    return WalkResult::interrupt();
  });
  return layer;
}

/// The first op that belongs to a layer, else the first op.
static Operation *chooseNamed(const Cluster &cluster) {
  for (Operation *op : cluster.ops)
    if (!layerOf(op).empty())
      return op;
  return cluster.ops.front();
}

std::string tg::kernelName(const Cluster &cluster) {
  std::string name;
  for (StringRef word : chooseWords(cluster))
    name += (name.empty() ? "" : "_") + word.take_front(kMaximumWord).str();
  Operation *named = chooseNamed(cluster);
  StringRef place = layerOf(named);
  if (place.empty())
    place = named->getParentOfType<func::FuncOp>().getSymName();
  StringRef what = isGradientLocation(named->getLoc()) ? "_grad" : "";
  name +=
      "__" + place.take_back(kMaximumPlace - what.size()).str() + what.str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return name;
}
