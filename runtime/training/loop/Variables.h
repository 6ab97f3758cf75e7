/// Variables of one element.
#ifndef TG_RUNTIME_TRAINING_LOOP_VARIABLES_H
#define TG_RUNTIME_TRAINING_LOOP_VARIABLES_H

#include "tg/runtime.hpp"

namespace tg::training {

/// Returns the index of the variable with a name, or none if there is none of
/// one element.
std::optional<uint32_t> findNumber(const Model &model, const std::string &name);

/// Set and return the element of such a variable. Throw RuntimeError, also for
/// a number that the type of the variable cannot represent.
void setNumber(const Model &model, Context &context, uint32_t variable,
               double value);
double getNumber(const Model &model, const Context &context, uint32_t variable);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_VARIABLES_H
