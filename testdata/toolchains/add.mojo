# Two vectors on the GPU. The test makes the kernel access more than they have.
from max.gpu.host import DeviceContext
from max.gpu import global_idx

comptime n = 1000

def add(a: Pointer[Float32, MutAnyOrigin], b: Pointer[Float32, MutAnyOrigin], c: Pointer[Float32, MutAnyOrigin], size: Int32):
    var i = Int(global_idx.x)
    if i < Int(size):
        c[unsafe_offset=i] = a[unsafe_offset=i] + b[unsafe_offset=i]

def main() raises:
    var ctx = DeviceContext()
    var a = ctx.enqueue_create_buffer[DType.float32](n)
    var b = ctx.enqueue_create_buffer[DType.float32](n)
    var c = ctx.enqueue_create_buffer[DType.float32](n)
    _ = a.enqueue_fill(1.5)
    _ = b.enqueue_fill(2.0)
    ctx.enqueue_function[add](a, b, c, Int32(n), grid_dim=4, block_dim=256)
    with c.map_to_host() as h:
        print(h[0], h[n - 1])
