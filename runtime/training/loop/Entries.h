/// Descriptions of models and data sets, and numbers by name, as texts of
/// checkpoints.
#ifndef TG_RUNTIME_TRAINING_LOOP_ENTRIES_H
#define TG_RUNTIME_TRAINING_LOOP_ENTRIES_H

#include "tg/data/dataset.hpp"
#include "tg/runtime.hpp"

#include <map>

namespace tg::training {

/// Returns the functions with their inputs and outputs, the variables with
/// their types, and the identities of layout and code. Parts are separated by "
/// | ".
std::string describe(const Model &model);

/// Throws data::DataError if two descriptions differ, with the first parts that
/// do: "expected the model of the checkpoint, ..., found ...".
void expectSame(const char *what, const std::string &saved,
                const std::string &current);

/// Numbers by name as a text that reads back exactly.
std::string textOf(const std::map<std::string, double> &numbers);
/// Parses such a text. Throws data::DataError.
std::map<std::string, double> parseNumbers(const std::string &text);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_ENTRIES_H
