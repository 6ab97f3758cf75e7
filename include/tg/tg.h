/// The C++ front of tgc: networks as graphs of nodes, programs of functions.
///
///   Program program("digits");
///   Tensor image = program.input("image", f32, {dim("batch"), 64});
///   …
///   program.compile("digits.so");
#ifndef TG_TG_H
#define TG_TG_H

#include "any_rank.h"
#include "array.h"
#include "beam_search.h"
#include "control.h"
#include "cookbook.h"
#include "dataset.h"
#include "default_graph.h"
#include "device.h"
#include "eager.h"
#include "elementwise.h"
#include "error.h"
#include "functional.h"
#include "gradient_check.h"
#include "gradient_error.h"
#include "graph.h"
#include "host.h"
#include "initializer.h"
#include "layer.h"
#include "loss.h"
#include "merge.h"
#include "models/Models.h"
#include "nn/Layers.h"
#include "optimizer.h"
#include "program.h"
#include "saver.h"
#include "schedule.h"
#include "sequences.h"
#include "session.h"
#include "shapes.h"
#include "sparse.h"
#include "symbolic/Symbolic.h"
#include "tensor.h"
#include "types.h"
#include "variable.h"
#include "variable_scope.h"
#include "windows.h"

#endif // TG_TG_H
