// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @number(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'tg.reduce_sum' op expected tg.order to be a #tg.order, found 7 : i64 [G5]}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = 7} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @other_op(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'tg.exp' op expected no attribute 'tg.order' on an op that takes no sum [G5]}}
  %0 = tg.exp %x {tg.order = #tg.order<blocks = [4]>} : tensor<4x8xf32>
  return
}

// -----

func.func @lanes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected lanes to be a power of two up to 64, found 6}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 6>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @accumulators(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected accumulators to be a power of two up to 16, found 32}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<accumulators = 32>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @block(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected each of blocks to be from 1 to 1048576, found 0}}
  %0 = tg.matmul %a, %b {tg.order = #tg.order<blocks = [0]>} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'lanes' once}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 8, lanes = 8>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected lanes, accumulators, blocks, lines, tile or winograd, found 'threads'}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<threads = 2>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @columns_with_lanes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an order of lines alone, because the last axis is not reduced, found #tg.order<lanes = 8, blocks = []>}}
  %0 = tg.reduce_sum %x {axes = [0], tg.order = #tg.order<lanes = 8>} : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rows_with_lines(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an order without lines, because the reduced axes are the last ones, found #tg.order<lines = [24]>}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lines = [24]>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tile_without_lines(%x: tensor<4x6x8xf32>) {
  // expected-error @+1 {{expected tile to have two extents from 0 to 1048576, and lines beside it, found [4, 4]}}
  %0 = tg.reduce_sum %x {axes = [0, 1], tg.order = #tg.order<tile = [4, 4]>} : (tensor<4x6x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @tile_of_one_axis(%x: tensor<4x6x8xf32>) {
  // expected-error @+1 {{expected a tile only if two axes before the last one that is not reduced are reduced, found #tg.order<lines = [24], tile = [4, 4]>}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lines = [24], tile = [4, 4]>} : (tensor<4x6x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @product_with_lanes(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected an order of one lane, one accumulator, no lines and no tiles, found #tg.order<lanes = 4, blocks = []>}}
  %0 = tg.matmul %a, %b {tg.order = #tg.order<lanes = 4>} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @running_sum(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an order of lanes alone, and of one lane unless the axis is the last one, found #tg.order<lanes = 4, blocks = []>}}
  %0 = tg.cumsum %x {axis = 0 : i64, tg.order = #tg.order<lanes = 4>} : tensor<4x8xf32>
  return
}

// -----

func.func @winograd_tile(%i: tensor<2x9x9x4xf32>, %w: tensor<3x3x4x4xf32>) {
  // expected-error @+1 {{expected winograd to be 4 or 2, found 3}}
  %0 = tg.conv %i, %w {tg.order = #tg.order<winograd = 3>} : (tensor<2x9x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x7x7x4xf32>
  return
}

// -----

func.func @winograd_filter(%i: tensor<2x9x9x4xf32>, %w: tensor<5x5x4x4xf32>) {
  // expected-error @+1 {{expected Winograd tiles only for windows of 3x3 elements with strides and dilations of 1, one group and f32, found #tg.order<blocks = [], winograd = 4>}}
  %0 = tg.conv %i, %w {tg.order = #tg.order<winograd = 4>} : (tensor<2x9x9x4xf32>, tensor<5x5x4x4xf32>) -> tensor<2x5x5x4xf32>
  return
}

// -----

func.func @winograd_product(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected winograd on a convolution alone, found #tg.order<blocks = [], winograd = 4>}}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<winograd = 4>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @winograd_blocks(%i: tensor<2x9x9x4xf32>, %w: tensor<3x3x4x4xf32>) {
  // expected-error @+1 {{expected at most 0 lengths of blocks, and no lanes, accumulators and lines, next to Winograd tiles, found #tg.order<blocks = [8], winograd = 4>}}
  %0 = tg.conv %i, %w {tg.order = #tg.order<blocks = [8], winograd = 4>} : (tensor<2x9x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x7x7x4xf32>
  return
}
