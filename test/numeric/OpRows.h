//===- OpRows.h - the rows of the numeric table, family by family ---------===//
#ifndef TG_TEST_NUMERIC_OPROWS_H
#define TG_TEST_NUMERIC_OPROWS_H

#include "test/numeric/OpTable.h"

namespace tg::test {

void addElementwiseRows(std::vector<OpRow> &rows);
/// Reductions, normalizations and the loss.
void addReductionRows(std::vector<OpRow> &rows);
void addContractionRows(std::vector<OpRow> &rows);
void addConvolutionRows(std::vector<OpRow> &rows);
/// Shapes, data movement, indices and random draws.
void addMovementRows(std::vector<OpRow> &rows);
/// Windows and resizing.
void addPoolingRows(std::vector<OpRow> &rows);
/// Branches and loops.
void addControlRows(std::vector<OpRow> &rows);
/// Variables and requests for gradients.
void addStateRows(std::vector<OpRow> &rows);
/// Branches and loops, alone and in one another, for their gradients.
void addRegionExtentRows(std::vector<OpRow> &rows);
void addRegionGradientRows(std::vector<OpRow> &rows);
/// Calls of the host, prints and asserts.
void addHostRows(std::vector<OpRow> &rows);

/// Training steps of tables.
void addTableRows(std::vector<OpRow> &rows);

/// Programs of many concatenations.
void addConcatenationRows(std::vector<OpRow> &rows);
/// Programs of many integer ops.
void addRandomRows(std::vector<OpRow> &rows);

/// The variables @w and @v of 4xFLOAT, @table and @slot of 11x5xFLOAT, and
/// others, with init.
std::string rowVariables();
/// The names of the integer types.
std::vector<std::string> integerTypes();
/// Numbers at and between the ends of an element type that is no float.
std::vector<double> edgesOf(llvm::StringRef type);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_OPROWS_H
