//===- OpRows.h - the rows of the numeric table, family by family ---------===//
#ifndef TG_TEST_NUMERIC_OPROWS_H
#define TG_TEST_NUMERIC_OPROWS_H

#include "test/numeric/OpTable.h"

namespace tg::test {

void addElementwiseRows(std::vector<OpRow> &rows);
/// Reductions, normalizations and the loss.
void addReductionRows(std::vector<OpRow> &rows);
void addContractionRows(std::vector<OpRow> &rows);
/// Shapes, data movement, indices and random draws.
void addMovementRows(std::vector<OpRow> &rows);
/// Variables and requests for gradients.
void addStateRows(std::vector<OpRow> &rows);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_OPROWS_H
