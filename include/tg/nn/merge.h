/// The ways in which a node joins the results of its predecessors.
#ifndef TG_NN_MERGE_H
#define TG_NN_MERGE_H

#include "../tensor/functional.h"

#include <concepts>

namespace tg {

/// A merge of one's own: derives from this.
class BaseMerge {
public:
  virtual ~BaseMerge() = default;
  /// From at least one tensor; most merges give one.
  virtual std::vector<Tensor> merge(const std::vector<Tensor> &inputs,
                                    std::source_location where) const = 0;
};

/// Any merge, as nodes hold it.
class Merge {
public:
  template <std::derived_from<BaseMerge> M>
  Merge(M merge) : object(std::make_shared<const M>(std::move(merge))) {}

  const BaseMerge *operator->() const { return object.get(); }

private:
  std::shared_ptr<const BaseMerge> object;
};

/// Declares a merge whose merge() stands in the library.
#define TG_MERGE_BODY                                                          \
  std::vector<Tensor> merge(const std::vector<Tensor> &inputs,                 \
                            std::source_location where) const override;

/// The sum of tensors of equal shapes; a single one passes.
class Sum : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// The sum over the number of tensors.
class Mean : public BaseMerge {
public:
  TG_MERGE_BODY
};

struct ConcatOptions {
  int64_t axis = 1;
};

/// One after the other along an axis.
class Concat : public BaseMerge {
public:
  Concat(ConcatOptions chosen = {}) : options(chosen) {}
  TG_MERGE_BODY

private:
  ConcatOptions options;
};

/// The product, with broadcasting: [n, h, w, 1] x [n, h, w, c].
class Multiply : public BaseMerge {
public:
  TG_MERGE_BODY
};

struct SelectOptions {
  int64_t index = 0;
};

/// One of the tensors.
class Select : public BaseMerge {
public:
  Select(SelectOptions chosen = {}) : options(chosen) {}
  TG_MERGE_BODY

private:
  SelectOptions options;
};

/// All of them, as they are.
class NoChange : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// Gives x [n, t, ...] with zeros at and beyond each of the lengths [n].
class SequenceMask : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// Gives the softmax over the first units of each row of x [n, d], as many as
/// lengths [n] says, and zeros elsewhere; a row of length 0 is all zeros.
class MaskSoftmax : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// Gives the softmax of x [n, d] where a mask [d] or [n, d] is not 0, and zeros
/// elsewhere.
class SelectedMaskSoftmax : public BaseMerge {
public:
  TG_MERGE_BODY
};

#undef TG_MERGE_BODY

} // namespace tg

#endif // TG_NN_MERGE_H
