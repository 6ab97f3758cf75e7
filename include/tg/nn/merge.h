/// The merges, with which a node joins the results of its predecessors.
#ifndef TG_NN_MERGE_H
#define TG_NN_MERGE_H

#include "../tensor/functional.h"

#include <concepts>

namespace tg {

/// The base class of merges, including custom ones.
class BaseMerge {
public:
  virtual ~BaseMerge() = default;
  /// Merges one or more tensors. Most merges return one tensor.
  virtual std::vector<Tensor> merge(const std::vector<Tensor> &inputs,
                                    std::source_location where) const = 0;
};

/// A handle of any merge, as nodes store it.
class Merge {
public:
  template <std::derived_from<BaseMerge> M>
  Merge(M merge) : object(std::make_shared<const M>(std::move(merge))) {}

  const BaseMerge *operator->() const { return object.get(); }

private:
  std::shared_ptr<const BaseMerge> object;
};

/// Declares the merge() of a merge that the library defines.
#define TG_MERGE_BODY                                                          \
  std::vector<Tensor> merge(const std::vector<Tensor> &inputs,                 \
                            std::source_location where) const override;

/// The sum of tensors of equal shapes. A single tensor is returned unchanged.
class Sum : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// The sum of the tensors divided by their number.
class Mean : public BaseMerge {
public:
  TG_MERGE_BODY
};

struct ConcatOptions {
  int64_t axis = 1;
};

/// The concatenation along an axis.
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

/// The tensor with the given index.
class Select : public BaseMerge {
public:
  Select(SelectOptions chosen = {}) : options(chosen) {}
  TG_MERGE_BODY

private:
  SelectOptions options;
};

/// All tensors, unchanged.
class NoChange : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// x [n, t, ...] with zeros at and after each of the lengths [n].
class SequenceMask : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// The softmax over the first lengths[i] elements of row i of x [n, d], and
/// zeros elsewhere. A row of length 0 is all zeros. The lengths have shape [n].
class MaskSoftmax : public BaseMerge {
public:
  TG_MERGE_BODY
};

/// The softmax of x [n, d] over the elements where a mask [d] or [n, d] is not
/// 0, and zeros elsewhere.
class SelectedMaskSoftmax : public BaseMerge {
public:
  TG_MERGE_BODY
};

#undef TG_MERGE_BODY

} // namespace tg

#endif // TG_NN_MERGE_H
