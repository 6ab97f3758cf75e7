tg.variable @table {trainable} : tensor<7x4xf32>
func.func @lookup(%word: tensor<?xi32> {tg.name = "word", tg.dims = ["n"]}, %part: tensor<?xi64> {tg.name = "part", tg.dims = ["n"]},
                  %wanted: tensor<?xi1> {tg.name = "wanted", tg.dims = ["n"]})
    -> (tensor<?xi64> {tg.name = "share", tg.dims = ["n"]}, tensor<?x4xf32> {tg.name = "row", tg.dims = ["n", ""]}) {
  %table = tg.read @table : tensor<7x4xf32>
  %row = tg.gather %table, %word : (tensor<7x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  %index = tg.cast %word {element_type = i64} : (tensor<?xi32>) -> tensor<?xi64>
  %one = tg.constant dense<1> : tensor<i64>
  %some = tg.select %wanted, %index, %one : (tensor<?xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %share = tg.div %some, %part : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %share, %row : tensor<?xi64>, tensor<?x4xf32>
}
