; Kernels with control flow, calls and memory of all kinds.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@weights = internal addrspace(4) constant [4 x float]
    [float 1.0, float 2.0, float 4.0, float 8.0]
@total = addrspace(1) global [2 x i64] [i64 5, i64 -6], align 16
@tile = internal addrspace(3) global [64 x float] undef, align 4

; out[i] = the sum of in[0 ... i], by a loop with 64-bit indices.
define ptx_kernel void @prefix(ptr addrspace(1) %in, ptr addrspace(1) %out,
                               i64 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %threads
  %number = add i32 %first, %thread
  %i = zext i32 %number to i64
  %isInside = icmp ult i64 %i, %n
  br i1 %isInside, label %loop, label %done
loop:
  %j = phi i64 [0, %entry], [%next, %loop]
  %sum = phi float [0.0, %entry], [%added, %loop]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %j
  %x = load float, ptr addrspace(1) %from
  %added = fadd float %sum, %x
  %next = add i64 %j, 1
  %isLast = icmp ugt i64 %next, %i
  br i1 %isLast, label %store, label %loop
store:
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %added, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; out[i] = a case of i.
define ptx_kernel void @cases(ptr addrspace(1) %out) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %i, label %default [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %e
    i32 5, label %b
  ]
a:
  store volatile i32 1, ptr addrspace(1) %out
  br label %default
b:
  br label %default
c:
  %square = mul i32 %i, 100
  br label %default
d:
  br label %default
e:
  store volatile i32 2, ptr addrspace(1) %out
  br label %default
default:
  %result = phi i32 [-1, %entry], [10, %a], [20, %b], [%square, %c],
                    [40, %d], [50, %e]
  %index = add i32 %i, 1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %index
  store i32 %result, ptr addrspace(1) %to
  ret void
}

define internal { float, i64 } @callee(float %a, i64 %b, [3 x i32] %c)
    noinline {
  %sum = fadd float %a, 1.0
  %second = extractvalue [3 x i32] %c, 1
  %wide = zext i32 %second to i64
  %other = add i64 %b, %wide
  %first = insertvalue { float, i64 } undef, float %sum, 0
  %both = insertvalue { float, i64 } %first, i64 %other, 1
  ret { float, i64 } %both
}

; out[i] = callee(i, i, c) as i64s.
define ptx_kernel void @calls(ptr addrspace(1) %out, [3 x i32] %c) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = sitofp i32 %i to float
  %wide = zext i32 %i to i64
  %both = call { float, i64 } @callee(float %value, i64 %wide, [3 x i32] %c)
  %float = extractvalue { float, i64 } %both, 0
  %long = extractvalue { float, i64 } %both, 1
  %rounded = fptosi float %float to i64
  %sum = add i64 %rounded, %long
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %i
  store i64 %sum, ptr addrspace(1) %to
  ret void
}

; out[i] = local[n] with an array in local memory, and a constant table.
define ptx_kernel void @arrays(ptr addrspace(1) %out, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %array = alloca [4 x float]
  %k = and i32 %i, 3
  %weightAt = getelementptr float, ptr addrspace(4) @weights, i32 %k
  %weight = load float, ptr addrspace(4) %weightAt
  %element = getelementptr float, ptr %array, i32 %k
  store volatile float %weight, ptr %element
  %other = getelementptr float, ptr %array, i32 %n
  %found = load volatile float, ptr %other
  %isOwn = icmp eq i32 %k, %n
  %result = select i1 %isOwn, float %found, float 0.0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %result, ptr addrspace(1) %to
  ret void
}

; out[i] = in[63 - i] through shared memory.
define ptx_kernel void @reversal(ptr addrspace(1) %in, ptr addrspace(1) %out)
    "nvvm.maxntid"="64" {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %own = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = sub i32 63, %i
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %j
  %y = load float, ptr addrspace(3) %other
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %y, ptr addrspace(1) %to
  ret void
}

; Updates of memory by all threads: a sum, an extreme, a float sum, a maximum by
; a loop of cmpxchg, and a lock-free exchange with its orders.
define ptx_kernel void @atomics(ptr addrspace(1) %a, ptr %generic) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = sitofp i32 %i to float
  %1 = atomicrmw add ptr addrspace(1) %a, i32 %i monotonic
  %max = getelementptr i32, ptr addrspace(1) %a, i32 1
  %2 = atomicrmw umax ptr addrspace(1) %max, i32 %i acq_rel
  %sum = getelementptr i32, ptr addrspace(1) %a, i32 2
  %3 = atomicrmw fadd ptr addrspace(1) %sum, float %value monotonic
  %4 = atomicrmw fmax ptr %generic, float %value seq_cst
  %last = getelementptr i32, ptr %generic, i32 1
  %5 = atomicrmw xchg ptr %last, i32 %i syncscope("device") acq_rel
  fence syncscope("device") seq_cst
  %6 = load atomic i32, ptr %last acquire, align 4
  %copy = getelementptr i32, ptr %generic, i32 2
  store atomic i32 %6, ptr %copy syncscope("device") release, align 4
  ret void
}

; total = total + total, by vectors.
define ptx_kernel void @vectors() {
  %pair = load <2 x i64>, ptr addrspace(1) @total, align 16
  %sum = add <2 x i64> %pair, %pair
  store <2 x i64> %sum, ptr addrspace(1) @total, align 16
  ret void
}
