// The five kernels in OpenCL: line for line those of bench.cu. The host
// program defines TILE and SCAN_BLOCK.

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float as[TILE][TILE], bs[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int row = get_group_id(1) * TILE + y, col = get_group_id(0) * TILE + x;
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) sum += as[y][k] * bs[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

__kernel void scan(__global const float *in, __global float *out) {
  __local float s[SCAN_BLOCK];
  int t = get_local_id(0), i = get_group_id(0) * SCAN_BLOCK + t;
  s[t] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < SCAN_BLOCK; d *= 2) {
    float left = t >= d ? s[t - d] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = s[t];
}

__kernel void stencil(__global const float *in, __global float *out, int n) {
  __local float s[TILE + 2][TILE + 2];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * TILE + tx, y = get_group_id(1) * TILE + ty;
  s[ty + 1][tx + 1] = in[y * n + x];
  if (ty == 0) s[0][tx + 1] = in[max(y - 1, 0) * n + x];
  if (ty == TILE - 1) s[TILE + 1][tx + 1] = in[min(y + 1, n - 1) * n + x];
  if (tx == 0) s[ty + 1][0] = in[y * n + max(x - 1, 0)];
  if (tx == TILE - 1) s[ty + 1][TILE + 1] = in[y * n + min(x + 1, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * n + x] = 0.2f * (s[ty + 1][tx + 1] + s[ty][tx + 1] + s[ty + 2][tx + 1] +
                           s[ty + 1][tx] + s[ty + 1][tx + 2]);
}

__kernel void vadd(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

__kernel void gather(__global const float *in, __global const uint *index, __global float *out, int n) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i < n) out[i] = in[index[i]];
}
