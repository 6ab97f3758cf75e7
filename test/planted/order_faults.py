"""The faults in the orders of floating-point sums, which compiler_run.py plants.

dialects/tg/bits.md defines the orders. Each fault keeps the values within rounding, so that only
tests of bits can see it.
"""

from faults import Fault

TG = "dialects/tg/"
KERNEL = "compiler/codegen/kernel/"
SUMS = KERNEL + "sums/"
CPU = "compiler/codegen/cpu/"
CUDA = "compiler/codegen/cuda/"
REDUCTION = CPU + "reduction/"
GEMM = CPU + "contraction/gemm/"
GROUPED = CPU + "contraction/grouped/"
WINOGRAD = CPU + "contraction/winograd/"


def row(name, float_type="f32"):
    """Returns the test of a row of the numeric table."""
    return ("BitsTest", f"*/{name}_{float_type}")


ORDER_FAULTS = [
    # Lines: lanes, accumulators and blocks.
    Fault("the lanes are folded as neighbours", "order", SUMS + "Accumulators.cpp",
          "    auto first = llvm::to_vector(llvm::seq<int64_t>(0, half));\n"
          "    auto second = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));\n",
          "    SmallVector<int64_t> first, second;\n"
          "    for (int64_t lane = 0; lane < half; ++lane)\n"
          "      first.push_back(2 * lane), second.push_back(2 * lane + 1);\n",
          row("reduce_sum_long_rows")),
    Fault("the accumulators are added one after the other", "order", SUMS + "Accumulators.cpp",
          "    for (; remaining.size() >= 2 * width;\n"
          "         remaining = remaining.drop_front(2 * width))\n"
          "      llvm::append_range(next, combine(remaining.take_front(width),\n"
          "                                       remaining.slice(width, width)));\n",
          "    llvm::append_range(next, combine(remaining.take_front(width),\n"
          "                                     remaining.slice(width, width)));\n"
          "    remaining = remaining.drop_front(2 * width);\n",
          row("reduce_sum_long_rows")),
    Fault("a sum has the lanes of the level's vectors", "order", REDUCTION + "RowPass.cpp",
          "lanes(order.getLanes()),", "lanes(chooseLanes(frame.kernel, frame.target)),",
          row("reduce_sum_long_rows")),
    Fault("a sum has as many accumulators as a pass has stores", "order", REDUCTION + "RowPass.cpp",
          "  return reductions.empty() ? tuning::kStoredRowVectors\n"
          "                            : row.order.getAccumulators();\n",
          "  return tuning::kStoredRowVectors;\n", row("reduce_sum_long_rows")),
    Fault("the blocks of a line count vectors, not steps", "order", REDUCTION + "RowPass.cpp",
          "blockSizes(order.getStepElements(), blocks.take_front())",
          "blockSizes(lanes, blocks.take_front())", row("reduce_sum_blocks")),
    Fault("the rest of a line goes to the first accumulator", "order", REDUCTION + "RowBlocks.cpp",
          "addTo(sums, next, copy,\n          count >= row.lanes",
          "addTo(sums, next, 0,\n          count >= row.lanes", row("reduce_sum_long_rows")),
    Fault("the rest of an unknown line goes to the accumulators in reverse", "order",
          REDUCTION + "RowBlocks.cpp",
          "Value vector = ops.sub(ops.sub(vectors, ops.constant(1)), index);",
          "Value vector = index;", row("reduce_sum_unknown_rows")),
    # Lines of lines, parts and columns.
    Fault("each row of a tile of lines is a sum of its own", "order", SUMS + "LineTiles.cpp",
          "      return emitCarryLoop(context, zero, tile.columns.size, 1, carried,\n"
          "                           [&](Value column, ValueRange terms) {\n"
          "                             SmallVector<Value> next =\n"
          "                                 build(ops.add(first, column));\n"
          "                             return sums.combine(terms, next);\n"
          "                           });\n",
          "      SmallVector<Value> ofRow = emitCarryLoop(\n"
          "          context, zero, tile.columns.size, 1, sums.neutral(lanes),\n"
          "          [&](Value column, ValueRange terms) {\n"
          "            SmallVector<Value> next = build(ops.add(first, column));\n"
          "            return sums.combine(terms, next);\n"
          "          });\n"
          "      return sums.combine(carried, ofRow);\n",
          row("reduce_sum_tiles")),
    Fault("lines are divided like the elements of a line", "order", REDUCTION + "RowPass.cpp",
          "blockSizes(1, row.order.getLines()), /*lanes=*/1, emitLines);",
          "blockSizes(1, row.order.getBlocks()), /*lanes=*/1, emitLines);",
          row("reduce_sum_lines")),
    Fault("the parts of a line form groups as their blocks do", "order",
          REDUCTION + "RowReduction.cpp",
          "std::min<size_t>(2, order.getBlocks().size())",
          "std::min<size_t>(1, order.getBlocks().size())", row("reduce_sum_parts_of_lines")),
    Fault("the parts of a sum are added from the last to the first", "order",
          REDUCTION + "ReductionParts.cpp",
          "[&](Value part, Value) { return loadTotal(part, group, lanes); }",
          "[&](Value part, Value) {\n"
          "        IntegerOps ops = frame.integers();\n"
          "        Value last = ops.sub(count, ops.constant(1));\n"
          "        return loadTotal(ops.sub(last, part), group, lanes);\n"
          "      }", row("reduce_sum_tall")),
    Fault("a column is divided like a line", "order", REDUCTION + "ColumnReduction.cpp",
          "blocks(blockSizes(1, plan.getOrder().getLines()))",
          "blocks(blockSizes(1, plan.getOrder().getBlocks()))", row("reduce_sum_long_columns")),
    Fault("the parts of a column are counted in smallest blocks", "order",
          REDUCTION + "ColumnReduction.cpp",
          "folds.push_back(size / blocks[1]);", "folds.push_back(size / blocks[0]);",
          row("reduce_sum_parts_of_columns")),
    Fault("a block of moments subtracts the first row of its part", "order",
          REDUCTION + "ColumnReduction.cpp",
          "operandsAt(lineTiles.firstLine(first), column,",
          "operandsAt(lineTiles.firstLine(partBegin), column,", row("moments_long")),
    Fault("totals of moments change places", "order", SUMS + "Accumulators.cpp",
          "merge(a.drop_back(), aCount, b.drop_back(), bCount);",
          "merge(b.drop_back(), bCount, a.drop_back(), aCount);", row("moments_in_groups", "f64")),
    Fault("squares between two groups are added to the second one's", "order",
          TG + "ops/structured/NormalizationOps.cpp",
          "  Value within = arith::AddFOp::create(b, lhs[1], rhs[1]);\n",
          "  Value within = lhs[1];\n"
          "  between = arith::AddFOp::create(b, rhs[1], between);\n",
          ("ReferenceTest", "ReferenceSums.OfMomentsMergeGroups")),
    # Products of matrices.
    Fault("a product is rounded before it is added", "order", GEMM + "RegisterTile.cpp",
          "      next.push_back(LLVM::FMulAddOp::create(builder, loc, factor, elements,\n"
          "                                             sums[next.size()]));\n",
          "      next.push_back(arith::AddFOp::create(\n"
          "          builder, loc,\n"
          "          arith::MulFOp::create(builder, loc, factor, elements),\n"
          "          sums[next.size()]));\n",
          row("matmul_tiles")),
    Fault("the last steps of K are a sum of their own", "order", GEMM + "RegisterTile.cpp",
          "  return buildFor(builder, loc, fullEnd, k.size, 1, sums,\n"
          "                  [&](Value step, ValueRange carried) {\n"
          "                    return multiply(builder, loc, tile, lhs, rhs, step,\n"
          "                                    carried);\n"
          "                  });\n",
          "  Value zero = arith::ConstantOp::create(\n"
          "      builder, loc, builder.getZeroAttr(sums.front().getType()));\n"
          "  SmallVector<Value> rest = buildFor(\n"
          "      builder, loc, fullEnd, k.size, 1,\n"
          "      SmallVector<Value>(sums.size(), zero),\n"
          "      [&](Value step, ValueRange carried) {\n"
          "        return multiply(builder, loc, tile, lhs, rhs, step, carried);\n"
          "      });\n"
          "  for (auto [sum, before] : llvm::zip_equal(rest, sums))\n"
          "    sum = arith::AddFOp::create(builder, loc, before, sum);\n"
          "  return rest;\n", row("matmul_groups_of_blocks")),
    Fault("the blocks of K follow the cache, not the order", "order", GEMM + "ContractionShape.cpp",
          "conditions.block.value_or(conditions.orderedBlock.value_or(chainBlock))",
          "conditions.block.value_or(chainBlock)", row("matmul_blocks")),
    Fault("the blocks of all groups of K are one chain", "order", GEMM + "ContractionTile.cpp",
          "  if (plan.blocks.size() < 2)\n", "  if (plan.blocks.size() < 3)\n",
          row("matmul_groups_of_blocks")),
    Fault("the blocks of a single row are one chain", "order", GEMM + "RegisterTile.cpp",
          "  if (blocks.empty()) {\n", "  if (blocks.size() < 2) {\n",
          ("NetworkBitsTest", "*/wide_O2")),
    Fault("a K-block of windows is a sum of its own", "order", GEMM + "GemmContraction.cpp",
          "  return emitRegisterTile(builder, loc, registers, lhs, rhs, k,\n"
          "                          epilogue.start(registers, row, column, block),\n"
          "                          prefetches);\n",
          "  SmallVector<Value> start = epilogue.start(registers, row, column, block);\n"
          "  Value zero = arith::ConstantOp::create(\n"
          "      builder, loc, builder.getZeroAttr(start.front().getType()));\n"
          "  SmallVector<Value> sums = emitRegisterTile(\n"
          "      builder, loc, registers, lhs, rhs, k,\n"
          "      SmallVector<Value>(start.size(), zero), prefetches);\n"
          "  for (auto [sum, before] : llvm::zip_equal(sums, start))\n"
          "    sum = arith::AddFOp::create(builder, loc, before, sum);\n"
          "  return sums;\n", row("conv_long_sums")),
    Fault("the channels of a window come before the taps along a line", "order",
          CPU + "contraction/window/WindowNest.cpp",
          "    nest.push_back({{windows.channel}, run});\n",
          "    nest.insert(nest.end() - 1, {{windows.channel}, run});\n", row("conv_dilations")),
    Fault("blocks are added to +0", "order", SUMS + "ProductBlocks.cpp",
          "/*Negative=*/true", "/*Negative=*/false", row("matmul_tiny_blocks")),
    Fault("a block that does not fit into L1 is summed in parts", "order", GEMM + "SplitK.cpp",
          "              ops.compare(arith::CmpIPredicate::eq, begin, first),\n"
          "              ops.compare(arith::CmpIPredicate::sge, next, end),\n"
          "              ops.compare(arith::CmpIPredicate::eq, block, zero)});\n",
          "              ops.compare(arith::CmpIPredicate::eq, begin, begin),\n"
          "              ops.compare(arith::CmpIPredicate::sge, next, next),\n"
          "              ops.compare(arith::CmpIPredicate::eq,\n"
          "                          ops.add(block, ops.sub(begin, first)), zero)});\n",
          row("matmul_split_k")),
    Fault("the units of split-K slices are one chain", "order", GEMM + "SplitK.cpp",
          "  if (plan.blocks.size() < 2)\n", "  if (plan.blocks.size() < 3)\n",
          row("matmul_split_k_blocks")),
    Fault("a naive group has as many products as blocks", "order",
          SUMS + "ProductSum.cpp",
          "  int64_t size = countProducts(blocks);\n", "  int64_t size = blocks.back();\n",
          row("matmul_groups_of_blocks")),
    Fault("a naive product is rounded before it is added", "order",
          SUMS + "ProductSum.cpp",
          "    return math::FmaOp::create(builder, context.loc, lhs, rhs, sum);\n",
          "    return arith::AddFOp::create(\n"
          "        builder, context.loc, sum,\n"
          "        arith::MulFOp::create(builder, context.loc, lhs, rhs));\n",
          row("conv_same")),
    Fault("a naive sum runs over the channels first", "order",
          SUMS + "ProductSum.cpp",
          "return sumOver(reduced, zero)[0];",
          "return sumOver(llvm::to_vector(llvm::reverse(reduced)), zero)[0];", row("conv_same")),
    # Reductions of the rows of a product.
    Fault("the parts of a product's rows are grouped like rows", "order",
          GEMM + "ResultReduction.cpp",
          "blockSizes(1, lines.drop_front(std::min<size_t>(1, lines.size())));",
          "blockSizes(1, lines);", row("reduce_sum_over_rows_product")),
    Fault("a part of a product's rows is a register tile", "order", GEMM + "ContractionShape.cpp",
          "rowUnit = conditions.rowPart ? conditions.rowPart : rows;", "rowUnit = rows;",
          row("matmul_bands_sums")),
    # Convolutions with groups or few channels.
    Fault("the taps of an adjoint are added from the last to the first", "order",
          GROUPED + "GroupedSums.cpp",
          "  if (plan.lineAxis().dilation < 0)\n"
          "    std::reverse(elements.begin(), elements.end());\n", "",
          row("conv_transpose_depthwise_lines")),
    Fault("a product of channels in groups is rounded", "order", GROUPED + "GroupedPlan.cpp",
          "  return LLVM::FMulAddOp::create(plan.frame.builder, plan.frame.loc, lhs, rhs,\n"
          "                                 sum);\n",
          "  OpBuilder &builder = plan.frame.builder;\n"
          "  Location loc = plan.frame.loc;\n"
          "  Value product = arith::MulFOp::create(builder, loc, lhs, rhs);\n"
          "  return arith::AddFOp::create(builder, loc, sum, product);\n",
          row("conv_depthwise_lines")),
    Fault("the lines of a result are added from the last to the first", "order",
          GROUPED + "GroupedPositions.cpp",
          "    reduction->storePart(elements, number, vector.first, vector.lanes,\n",
          "    reduction->storePart(elements,\n"
          "                         ops.sub(ops.sub(counts.lines, ops.constant(1)), number),\n"
          "                         vector.first, vector.lanes,\n",
          row("reduce_sum_of_groups")),
    Fault("the phases of a line are added one after the other", "order",
          GROUPED + "GroupedPositions.cpp",
          "  if (alternatesPhases(plan, reduction))\n",
          "  if (alternatesPhases(plan, reduction) && phases.size() == 1)\n",
          row("reduce_sum_of_phases")),
    Fault("each tile of a line is a sum of its own", "order", GROUPED + "GroupedFilterLines.cpp",
          "                           return addTile(tile, vector, channel, some, rhsBegin,\n"
          "                                          carried);\n",
          "                           SmallVector<Value> sums = addTile(\n"
          "                               tile, vector, channel, some, rhsBegin,\n"
          "                               SmallVector<Value>(carried.size(),\n"
          "                                                  buildZero(plan, vector.lanes)));\n"
          "                           for (auto [sum, total] :\n"
          "                                llvm::zip_equal(sums, carried))\n"
          "                             sum = arith::AddFOp::create(builder, loc, total, sum);\n"
          "                           return sums;\n",
          row("conv_filter_grad_depthwise_lines")),
    Fault("each visit of lines is a block of its own", "order", GROUPED + "GroupedFilter.cpp",
          "  Value size = ops.constant(*slices.blockLines), zero",
          "  Value size = ops.constant(slices.visitLines), zero",
          row("conv_filter_grad_depthwise_visits")),
    Fault("the blocks of all groups of lines are one chain", "order", GROUPED + "GroupedFilter.cpp",
          "  if (!slices.hasGroups() || *slices.sliceLines != *slices.blockLines)\n"
          "    return addSlices(zero, sliceCount, row, vector);\n"
          "  Value size = ops.constant(*slices.groupBlocks);\n",
          "  if (slices.slices)\n"
          "    return addSlices(zero, sliceCount, row, vector);\n"
          "  Value size = ops.constant(*slices.groupBlocks);\n",
          row("conv_filter_grad_depthwise_known_in_blocks")),
    Fault("a slice of unknown lines has two groups", "order", GROUPED + "GroupedFilterPlan.cpp",
          "    *sliceLines *= *groupBlocks;\n", "    *sliceLines *= 2 * *groupBlocks;\n",
          row("conv_filter_grad_depthwise_in_blocks")),
    Fault("the taps of few channels are added from the last to the first", "order",
          GROUPED + "FewChannelContraction.cpp",
          "return one.index < other.index;", "return one.index > other.index;",
          row("conv_to_three")),
    Fault("a product for few channels is rounded", "order", GROUPED + "FewChannelContraction.cpp",
          "      sum = LLVM::FMulAddOp::create(builder, loc, element, row[vector], sum);\n",
          "      sum = arith::AddFOp::create(\n"
          "          builder, loc, sum,\n"
          "          arith::MulFOp::create(builder, loc, element, row[vector]));\n",
          row("conv_to_three")),
    # Winograd's algorithm.
    Fault("the sums of a line of outputs are added from left to right", "order",
          KERNEL + "winograd/WinogradTransform.cpp",
          "math.add(m[0], math.add(even, evenOfTwo))", "math.add(math.add(m[0], even), evenOfTwo)",
          row("conv_tiled_by_4")),
    Fault("a product in a Winograd transform is rounded", "order",
          KERNEL + "winograd/WinogradTransform.cpp",
          "    return LLVM::FMulAddOp::create(builder, loc, constant(factor, a.getType()),\n"
          "                                   a, b);\n",
          "    return add(scale(factor, a), b);\n", row("conv_tiled_by_4")),
    Fault("each block of Winograd tiles is a sum of its own", "order",
          WINOGRAD + "WinogradTiles.cpp",
          "                         start, prefetches);\n",
          "                         SmallVector<Value>(\n"
          "                             start.size(),\n"
          "                             arith::ConstantOp::create(\n"
          "                                 builder, loc,\n"
          "                                 builder.getZeroAttr(start[0].getType()))),\n"
          "                         prefetches);\n"
          "    for (auto [sum, before] : llvm::zip_equal(result, start))\n"
          "      sum = arith::AddFOp::create(builder, loc, before, sum);\n",
          row("conv_filter_grad_tiles_of_two")),
    Fault("the windows of all groups of tiles are one chain", "order",
          WINOGRAD + "WinogradGradientWindows.cpp",
          "  if (!plan.hasGroups() || *plan.sliceTiles != *plan.sumTiles)\n",
          "  if (plan.sliceTiles)\n", row("conv_filter_grad_tiled_by_4_in_blocks")),
    Fault("the slices of Winograd tiles are as long as the cache's blocks", "order",
          WINOGRAD + "WinogradGradientPlan.cpp",
          "  sliceTiles = *sumTiles;\n", "  sliceTiles = blockTiles;\n",
          row("conv_filter_grad_tiled_by_4_in_blocks")),
    Fault("the positions of a Winograd tile are summed from right to left", "order",
          WINOGRAD + "WinogradEpilogue.cpp",
          "                          selectPosition(tile, y, x, column, lanes);\n"
          "                      storeOutputs(",
          "                          selectPosition(\n"
          "                              tile, y,\n"
          "                              frame.integers().sub(tile.columns,\n"
          "                                  frame.integers().add(x,\n"
          "                                      frame.integers().constant(1))),\n"
          "                              column, lanes);\n"
          "                      storeOutputs(",
          row("moments_of_tiles")),
    Fault("a thread sums all Winograd tiles as one block", "order",
          CUDA + "winograd/WinogradSum.cpp",
          "sumBlocks(blocks.drop_back(), channel, column, first, last)",
          "sumBlocks({}, channel, column, first, last)",
          ("ThreadKernelTest", "ThreadKernel.GradientsOfFiltersSumBlocksOfTiles")),
    # Other sums, and products of other ops.
    Fault("the longest shift of a running sum comes first", "order",
          CPU + "custom/CumsumKernel.cpp",
          "for (unsigned distance = 1; distance < width; distance *= 2)",
          "for (unsigned distance = width / 2; distance >= 1; distance /= 2)",
          row("cumsum_long_rows_")),
    Fault("a running sum is carried in the type of its elements", "order",
          CPU + "custom/CumsumKernel.cpp",
          "sumType = isa<FloatType>(elementType) ? builder.getF64Type() : elementType;",
          "sumType = elementType;", row("cumsum_long_columns_")),
    Fault("updates are added from the last to the first", "order", CPU + "custom/ScatterKernel.cpp",
          "             SmallVector<Value> indices = space.split(row, outer);\n",
          "             IntegerOps ops = frame.integers();\n"
          "             Value rows = frame.extent(space.getProduct(outer));\n"
          "             Value last = ops.sub(rows, ops.constant(1));\n"
          "             SmallVector<Value> indices =\n"
          "                 space.split(ops.sub(last, row), outer);\n",
          row("scatter_rows")),
    Fault("ops of a kernel are contracted", "order", KERNEL + "Lowering.cpp",
          "  walkAndApplyPatterns(module, std::move(mathPatterns));\n",
          "  walkAndApplyPatterns(module, std::move(mathPatterns));\n"
          "  module.walk([&](arith::ArithFastMathInterface op) {\n"
          "    op->setAttr(op.getFastMathAttrName(),\n"
          "                arith::FastMathFlagsAttr::get(\n"
          "                    context, arith::FastMathFlags::contract));\n"
          "  });\n",
          row("moments_long")),
    Fault("a folded sum takes the order of its op", "order", "compiler/reference/OpReference.cpp",
          "  Operation *copy = builder.clone(*op, values);\n",
          "  Operation *copy = builder.clone(*op, values);\n"
          "  copy->removeAttr(\"tg.order\");\n",
          ("lit", "test/compiler/transforms/tg-fold-constants.mlir")),
]
