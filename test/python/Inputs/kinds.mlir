// Inputs of all element types, an output whose extent the run finds, and random
// numbers.
module @kinds {
  func.func @copy(%f64: tensor<2x3xf64> {tg.name = "f64"}, %i8: tensor<3xi8> {tg.name = "i8"},
                  %i16: tensor<3xi16> {tg.name = "i16"}, %i64: tensor<3xi64> {tg.name = "i64"},
                  %u8: tensor<3xui8> {tg.name = "u8"}, %b: tensor<3xi1> {tg.name = "b"})
      -> (tensor<2x3xf64> {tg.name = "f64_out"}, tensor<3xi8> {tg.name = "i8_out"}, tensor<3xi16> {tg.name = "i16_out"},
          tensor<3xi64> {tg.name = "i64_out"}, tensor<3xui8> {tg.name = "u8_out"}, tensor<3xi1> {tg.name = "b_out"}) {
    return %f64, %i8, %i16, %i64, %u8, %b : tensor<2x3xf64>, tensor<3xi8>, tensor<3xi16>, tensor<3xi64>, tensor<3xui8>, tensor<3xi1>
  }
  func.func @scalars(%f: tensor<f32> {tg.name = "f"}, %i: tensor<i8> {tg.name = "i"}, %b: tensor<i1> {tg.name = "b"})
      -> (tensor<f32> {tg.name = "f_out"}, tensor<i8> {tg.name = "i_out"}, tensor<i1> {tg.name = "b_out"}) {
    return %f, %i, %b : tensor<f32>, tensor<i8>, tensor<i1>
  }
  func.func @find(%p: tensor<?xi1> {tg.name = "p", tg.dims = ["n"]}) -> (tensor<?x1xi64> {tg.name = "where"}) {
    %y = tg.nonzero %p : (tensor<?xi1>) -> tensor<?x1xi64>
    return %y : tensor<?x1xi64>
  }
}
