//===- OpenControl.h - branches and loops being filled ----------*- C++ -* ===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H
#define TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H

#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/control.h"

namespace tg::dsl {

/// An op whose regions are being filled. It is abandoned if an exception is
/// thrown.
class OpenControl {
public:
  OpenControl(BodyPtr body, std::string_view op, unsigned regions,
              const std::vector<std::vector<Id>> &operands,
              const std::vector<Attribute> &attributes, Place where);
  ~OpenControl();
  OpenControl(const OpenControl &) = delete;

  /// Fills the next region and returns its yielded values.
  LoopValues fill(const RegionFunction &function,
                  const std::vector<TensorType> &arguments);
  std::vector<Tensor> end(const std::vector<std::vector<Tensor>> &yielded,
                          const std::vector<TensorType> &results);

protected:
  BodyPtr body;
  Place where;
  /// The number of open ops that enclose this one.
  size_t depth = 0;

private:
  bool isDone = false;
};

/// A loop whose body is being filled, for random samples inside. The iteration
/// counter is built on first use.
class OpenLoop : public OpenControl {
public:
  OpenLoop(BodyPtr body, std::string_view op, unsigned regions,
           const std::vector<std::vector<Id>> &operands,
           const std::vector<Attribute> &attributes, Place where);
  virtual ~OpenLoop();

  /// Returns a counter that differs in each iteration: `counter` * T + i, where
  /// i is the index of the iteration and T the number of iterations.
  Tensor countIterations(const Tensor &counter, Place where);

protected:
  /// Makes the index of the iteration the last argument of the regions.
  virtual void addCount() = 0;
  /// Returns T.
  virtual Tensor iterationCount(Place where) = 0;
  bool isCounted = false;
};

class OpenWhile final : public OpenLoop {
public:
  OpenWhile(const BodyPtr &body, const std::vector<Tensor> &inits,
            const WhileOptions &options, Place where);

  LoopValues fill(const RegionFunction &function,
                  const std::vector<TensorType> &arguments);
  std::vector<Tensor> end(std::vector<std::vector<Tensor>> yielded,
                          std::vector<TensorType> results);

private:
  void addCount() override;
  Tensor iterationCount(Place where) override;
  int64_t maxTrip;
  /// The index of the next iteration, as a value of the last region.
  Tensor next;
};

class OpenScan final : public OpenLoop {
public:
  OpenScan(const BodyPtr &body, const std::vector<Tensor> &inits,
           const std::vector<Tensor> &inputs, const ScanOptions &options,
           Place where);

private:
  void addCount() override;
  Tensor iterationCount(Place where) override;
  std::vector<Tensor> inputs;
  std::optional<int64_t> length;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H
