module @control {
  tg.variable @sum : tensor<4xf32>

  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.5> : tensor<4xf32>
    tg.assign @sum, %zero : tensor<4xf32>
    return
  }

  // Adds rows of a table to the variable, by a list of indices, while there are
  // more. Then halves or doubles the sum.
  func.func @add(%table: tensor<8x4xf32> {tg.name = "table"},
                 %indices: tensor<6xi32> {tg.name = "indices"},
                 %count: tensor<i32> {tg.name = "count"},
                 %halves: tensor<i32> {tg.name = "halves"})
      -> (tensor<4xf32> {tg.name = "total"}, tensor<i32> {tg.name = "rows"}) {
    %zero = tg.constant dense<0> : tensor<i32>
    %one = tg.constant dense<1> : tensor<i32>
    %start = tg.read @sum : tensor<4xf32>
    %rows, %sum = tg.while inits(%zero, %start) {max_trip = 9} : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) cond {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
      %more = tg.compare lt, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
      %index = tg.gather %indices, %i : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
      %row = tg.gather %table, %index : (tensor<8x4xf32>, tensor<i32>) -> tensor<4xf32>
      %next = tg.add %v, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %j = tg.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tg.yield %j, %next : tensor<i32>, tensor<4xf32>
    }
    %p = tg.compare gt, %halves, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %factor = tg.if %p : (tensor<i1>) -> tensor<f32> {
      %half = tg.constant dense<0.5> : tensor<f32>
      tg.yield %half : tensor<f32>
    } else {
      %factors = tg.constant dense<[2.0, 4.0]> : tensor<2xf32>
      %two = tg.gather %factors, %halves : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
      tg.yield %two : tensor<f32>
    }
    %total = tg.mul %sum, %factor : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %largest = tg.reduce_max %total : (tensor<4xf32>) -> tensor<f32>
    %limit = tg.constant dense<100.0> : tensor<f32>
    %ok = tg.compare lt, %largest, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.assert %ok, "the total is below 100" : tensor<i1>
    tg.assign @sum, %total : tensor<4xf32>
    return %total, %rows : tensor<4xf32>, tensor<i32>
  }
}
