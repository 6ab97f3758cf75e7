module @selection {
  tg.variable @rows : tensor<8x4xf32>

  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.5> : tensor<8x4xf32>
    tg.assign @rows, %zero : tensor<8x4xf32>
    return
  }

  // The rows of a table whose first element is above a number, their places,
  // the running sums of their columns, and their elements in order.
  func.func @above(%table: tensor<?x4xf32> {tg.name = "table", tg.dims = ["n", ""]},
                   %least: tensor<f32> {tg.name = "least"})
      -> (tensor<?x4xf32> {tg.name = "sums"}, tensor<?xf32> {tg.name = "sorted"},
          tensor<?x1xi64> {tg.name = "places"}) {
    %column = tg.slice %table {sizes = [-1, 1], starts = [0, 0]} : (tensor<?x4xf32>) -> tensor<?x1xf32>
    %first = tg.reshape %column {shape = [-1]} : (tensor<?x1xf32>) -> tensor<?xf32>
    %is = tg.compare gt, %first, %least : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
    %places = tg.nonzero %is : (tensor<?xi1>) -> tensor<?x1xi64>
    %list = tg.reshape %places {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
    %found = tg.gather %table, %list : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x4xf32>
    %sums = tg.cumsum %found {axis = 0 : i64} : tensor<?x4xf32>
    %chosen = tg.gather %first, %list : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
    %sorted, %order = tg.top_k %chosen {k = -1 : i64} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>)
    return %sums, %sorted, %places : tensor<?x4xf32>, tensor<?xf32>, tensor<?x1xi64>
  }

  // Adds the first rows of a table to the rows of the variable that a list
  // names.
  func.func @add(%table: tensor<8x4xf32> {tg.name = "table"},
                 %indices: tensor<6xi32> {tg.name = "indices"})
      -> (tensor<8x4xf32> {tg.name = "rows"}) {
    %old = tg.read @rows : tensor<8x4xf32>
    %updates = tg.slice %table {sizes = [6, 4], starts = [0, 0]} : (tensor<8x4xf32>) -> tensor<6x4xf32>
    %new = tg.scatter %old, %indices, %updates : (tensor<8x4xf32>, tensor<6xi32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    tg.assign @rows, %new : tensor<8x4xf32>
    return %new : tensor<8x4xf32>
  }
}
