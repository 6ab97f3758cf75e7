module @hosted {
  tg.variable @w {trainable} : tensor<3xf32>
  tg.variable @count : tensor<i32>

  func.func @init() attributes {tg.role = "init"} {
    %w = tg.constant dense<[1.0, 0.5, -2.0]> : tensor<3xf32>
    tg.assign @w, %w : tensor<3xf32>
    %count = tg.host_call "tick"() : () -> tensor<i32>
    tg.assign @count, %count : tensor<i32>
    return
  }

  // A step of training whose loss and gradient the host computes. `row` is
  // read before the first call of the host.
  func.func @train(%x: tensor<?x3xf32> {tg.name = "x"}, %row: tensor<i32> {tg.name = "row"})
      -> (tensor<f32> {tg.name = "loss"}, tensor<?x3xf32> {tg.name = "larger"}, tensor<?xi1> {tg.name = "any"}) {
    %w = tg.read @w : tensor<3xf32>
    %start = tg.gather %x, %row : (tensor<?x3xf32>, tensor<i32>) -> tensor<3xf32>
    %shifted = tg.sub %x, %start : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    %n = tg.dim %x {axis = 0} : (tensor<?x3xf32>) -> tensor<i64>
    %larger, %any = tg.host_call "larger"(%shifted, %w) sizes(%n, %n) : (tensor<?x3xf32>, tensor<3xf32>, tensor<i64>, tensor<i64>) -> (tensor<?x3xf32>, tensor<?xi1>)
    %y = tg.mul %shifted, %w : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    %squares = tg.custom_gradient %y : (tensor<?x3xf32>) -> tensor<?x3xf32> {
    ^bb0(%in: tensor<?x3xf32>):
      %m = tg.dim %in {axis = 0} : (tensor<?x3xf32>) -> tensor<i64>
      %out = tg.host_call "square"(%in) sizes(%m) {pure} : (tensor<?x3xf32>, tensor<i64>) -> tensor<?x3xf32>
      tg.yield %out : tensor<?x3xf32>
    } gradient {
    ^bb0(%in: tensor<?x3xf32>, %out: tensor<?x3xf32>, %grad: tensor<?x3xf32>):
      %m = tg.dim %in {axis = 0} : (tensor<?x3xf32>) -> tensor<i64>
      %in_grad = tg.host_call "square_grad"(%in, %grad) sizes(%m) {pure} : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<i64>) -> tensor<?x3xf32>
      tg.yield %in_grad : tensor<?x3xf32>
    }
    %loss = tg.reduce_sum %squares : (tensor<?x3xf32>) -> tensor<f32>
    tg.print "loss", %loss : tensor<f32>
    %grad = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    %rate = tg.constant dense<0.125> : tensor<f32>
    %step = tg.mul %grad, %rate : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %new = tg.sub %w, %step : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tg.assign @w, %new : tensor<3xf32>
    %count = tg.host_call "tick"() : () -> tensor<i32>
    tg.assign @count, %count : tensor<i32>
    return %loss, %larger, %any : tensor<f32>, tensor<?x3xf32>, tensor<?xi1>
  }

  // Calls the host and prints in each iteration, then reads an element whose
  // index may be out of range.
  func.func @loop(%x: tensor<?xf32> {tg.name = "x"}, %steps: tensor<i32> {tg.name = "steps"}, %indices: tensor<6xi32> {tg.name = "indices"})
      -> (tensor<?xf32> {tg.name = "y"}, tensor<f32> {tg.name = "end"}) {
    %zero = tg.constant dense<0> : tensor<i32>
    %one = tg.constant dense<1> : tensor<i32>
    %rows, %y = tg.while inits(%zero, %x) {max_trip = 9} : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) cond {
    ^bb0(%i: tensor<i32>, %v: tensor<?xf32>):
      %more = tg.compare lt, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %v: tensor<?xf32>):
      %tick = tg.host_call "tick"() : () -> tensor<i32>
      tg.assign @count, %tick : tensor<i32>
      %n = tg.dim %v {axis = 0} : (tensor<?xf32>) -> tensor<i64>
      %s = tg.host_call "square"(%v) sizes(%n) : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
      %index = tg.gather %indices, %i : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
      %element = tg.gather %s, %index : (tensor<?xf32>, tensor<i32>) -> tensor<f32>
      %next = tg.add %s, %element : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      tg.print "next", %next : tensor<?xf32>
      %j = tg.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tg.yield %j, %next : tensor<i32>, tensor<?xf32>
    }
    %last = tg.gather %indices, %rows : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %end = tg.gather %y, %last : (tensor<?xf32>, tensor<i32>) -> tensor<f32>
    return %y, %end : tensor<?xf32>, tensor<f32>
  }

  // Needs memory of the device, and calls nothing.
  func.func @plain(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
    %y = tg.relu %x : tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
