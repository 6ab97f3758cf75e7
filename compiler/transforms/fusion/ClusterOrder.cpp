//===- ClusterOrder.cpp - clusters and other ops, in order ----------------===//
#include "compiler/transforms/fusion/ClusterOrder.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tg;

ClusterOrder::ClusterOrder(const FusionPlan &plan) : plan(plan) {
  for (Operation &op : plan.getBody())
    visit(&op);
  for (auto [position, node] : llvm::enumerate(order))
    if (auto *cluster = dyn_cast<Cluster *>(node))
      positions[cluster] = position;
}

void ClusterOrder::visit(Operation *op) {
  enter(op);
  while (!path.empty()) {
    if (path.back().producers.empty())
      order.push_back(path.pop_back_val().node);
    else
      enter(path.back().producers.pop_back_val());
  }
}

void ClusterOrder::enter(Operation *op) {
  Cluster *cluster = plan.clusterOf(op);
  Node node = cluster ? Node(cluster) : Node(op);
  if (!done.insert(node.getOpaqueValue()).second)
    return;
  path.push_back({node, {}});
  SmallVector<Operation *> &producers = path.back().producers;
  auto addProducers = [&](Operation *member) {
    llvm::append_range(producers, plan.predecessorsOf(member));
  };
  if (cluster)
    llvm::for_each(cluster->ops, addProducers);
  else
    addProducers(op);
  // Producers are visited from the end of the list.
  std::reverse(producers.begin(), producers.end());
}

unsigned ClusterOrder::lastUseOf(Value value) const {
  unsigned last = 0;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (Cluster *cluster = plan.clusterOf(user))
      last = std::max(last, positionOf(cluster));
    else if (isa<ViewOpInterface, tgx::JoinOp>(user))
      last = std::max(last, lastUseOf(user->getResult(0)));
    else
      last = getEnd();
  }
  return last;
}
