//===- OpenControl.h - branches and loops that are being filled --*- C++
//-*-===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H
#define TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H

#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/control.h"

namespace tg::dsl {

/// An op whose regions are being filled; given up where something throws.
class OpenControl {
public:
  OpenControl(Bodies body, std::string_view op, unsigned regions,
              const std::vector<std::vector<Id>> &operands,
              const std::vector<Attribute> &attributes, Place where);
  ~OpenControl();
  OpenControl(const OpenControl &) = delete;

  /// Fills the next region.
  LoopValues fill(const RegionFunction &function,
                  const std::vector<TensorType> &arguments);
  std::vector<Tensor> end(const std::vector<std::vector<Tensor>> &yielded,
                          const std::vector<TensorType> &results);

protected:
  Bodies body;
  Place where;
  /// The number of open ops around.
  size_t depth = 0;

private:
  bool isDone = false;
};

/// A loop whose body is being filled, as random draws inside see it. What
/// counts its trips is made when something first asks.
class OpenLoop : public OpenControl {
public:
  OpenLoop(Bodies body, std::string_view op, unsigned regions,
           const std::vector<std::vector<Id>> &operands,
           const std::vector<Attribute> &attributes, Place where);
  virtual ~OpenLoop();

  /// Another counter in each trip: counter · T + the number of this one, T
  /// being the number of all trips.
  Tensor countTrips(const Tensor &counter, Place where);

protected:
  /// Makes the number of the trip the last argument of the regions.
  virtual void addCount() = 0;
  /// T.
  virtual Tensor tripCount(Place where) = 0;
  bool isCounted = false;
};

class OpenWhile final : public OpenLoop {
public:
  OpenWhile(const Bodies &body, const std::vector<Tensor> &inits,
            const WhileOptions &options, Place where);

  LoopValues fill(const RegionFunction &function,
                  const std::vector<TensorType> &arguments);
  std::vector<Tensor> end(std::vector<std::vector<Tensor>> yielded,
                          std::vector<TensorType> results);

private:
  void addCount() override;
  Tensor tripCount(Place where) override;
  int64_t maxTrip;
  /// The number of the next trip, as the last region has it.
  Tensor next;
};

class OpenScan final : public OpenLoop {
public:
  OpenScan(const Bodies &body, const std::vector<Tensor> &inits,
           const std::vector<Tensor> &inputs, const ScanOptions &options,
           Place where);

private:
  void addCount() override;
  Tensor tripCount(Place where) override;
  std::vector<Tensor> inputs;
  std::optional<int64_t> length;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_OPENCONTROL_H
