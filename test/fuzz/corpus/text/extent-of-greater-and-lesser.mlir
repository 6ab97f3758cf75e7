func.func @picked(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xi64> {tg.name = "most"}, tensor<?xi64> {tg.name = "least"}) {
  %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %two = tg.constant dense<2> : tensor<i64>
  %more = tg.maximum %n, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %less = tg.minimum %n, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %most = tg.iota %more {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  %least = tg.iota %less {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  return %most, %least : tensor<?xi64>, tensor<?xi64>
}
