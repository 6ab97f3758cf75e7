/// The C++ frontend of tgc: networks as graphs of nodes, programs of functions.
///
///   Program program("digits");
///   Tensor image = program.input("image", f32, {dim("batch"), 64});
///   …
///   program.compile("digits.so");
#ifndef TG_TG_H
#define TG_TG_H

#include "graph/any_rank.h"
#include "graph/dataset.h"
#include "graph/default_graph.h"
#include "graph/device.h"
#include "graph/eager.h"
#include "graph/gradient_check.h"
#include "graph/gradient_error.h"
#include "graph/initializer.h"
#include "graph/model_options.h"
#include "graph/optimizer.h"
#include "graph/program.h"
#include "graph/saver.h"
#include "graph/schedule.h"
#include "graph/session.h"
#include "graph/summaries.h"
#include "graph/updates.h"
#include "graph/variable.h"
#include "graph/variable_scope.h"
#include "models/Models.h"
#include "nn/Layers.h"
#include "nn/beam_search.h"
#include "nn/cookbook.h"
#include "nn/graph.h"
#include "nn/layer.h"
#include "nn/loss.h"
#include "nn/merge.h"
#include "symbolic/Symbolic.h"
#include "tensor/array.h"
#include "tensor/control.h"
#include "tensor/custom_op.h"
#include "tensor/elementwise.h"
#include "tensor/error.h"
#include "tensor/functional.h"
#include "tensor/host.h"
#include "tensor/sequences.h"
#include "tensor/shapes.h"
#include "tensor/sparse.h"
#include "tensor/tensor.h"
#include "tensor/types.h"
#include "tensor/windows.h"

#endif // TG_TG_H
