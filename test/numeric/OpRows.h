//===- OpRows.h - the rows of the numeric table by family -----------------===//
#ifndef TG_TEST_NUMERIC_OPROWS_H
#define TG_TEST_NUMERIC_OPROWS_H

#include "test/numeric/OpTable.h"

namespace tg::test {

void addElementwiseRows(std::vector<OpRow> &rows);
/// Appends rows of reductions, normalizations and the loss.
void addReductionRows(std::vector<OpRow> &rows);
void addContractionRows(std::vector<OpRow> &rows);
void addConvolutionRows(std::vector<OpRow> &rows);
/// Appends rows of shapes, data movement, indices and random samples.
void addMovementRows(std::vector<OpRow> &rows);
/// Appends rows of pooling and resizing.
void addPoolingRows(std::vector<OpRow> &rows);
/// Appends rows of branches and loops.
void addControlRows(std::vector<OpRow> &rows);
/// Appends rows of variables and gradient requests.
void addStateRows(std::vector<OpRow> &rows);
/// Append rows for the gradients of branches and loops, alone and nested.
void addRegionExtentRows(std::vector<OpRow> &rows);
void addRegionGradientRows(std::vector<OpRow> &rows);
/// Appends rows of host calls, prints and asserts.
void addHostRows(std::vector<OpRow> &rows);

/// Appends rows with training steps on lookup tables.
void addTableRows(std::vector<OpRow> &rows);

/// Appends rows that are programs of many concatenations.
void addConcatenationRows(std::vector<OpRow> &rows);
/// Appends rows that are programs of many integer ops.
void addRandomRows(std::vector<OpRow> &rows);

/// Returns the text of the variables and their init: @w and @v of 4xFLOAT,
/// @table and @slot of 11x5xFLOAT, and others.
std::string rowVariables();
/// Returns the names of the integer types.
std::vector<std::string> integerTypes();
/// Returns numbers at and between the ends of the range of a non-float element
/// type.
std::vector<double> edgesOf(llvm::StringRef type);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_OPROWS_H
