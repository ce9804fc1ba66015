// The mean of an element and its neighbors in the block, by a tile in local memory.
kernel void blur(global const float *in, global float *out, int n, local float *tile) {
  int i = get_global_id(0), t = get_local_id(0);
  tile[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float left = t > 0 ? tile[t - 1] : 0;
  float right = t + 1 < get_local_size(0) ? tile[t + 1] : 0;
  if (i < n) out[i] = (left + tile[t] + right) / 3;
}
