package judge

// operator is something to compute, with a right kernel for it. Kernels write their output by
// STORE(i, v), which the wrong candidates define otherwise.
type operator struct {
	name      string
	shapes    map[string]int64
	arguments string // JSON
	launches  string
	params    string // of the kernel
	reference string
	body      string
	// outputs is how many elements the output has, in C.
	outputs string
	integer bool
	// oneBlock is set if a single block does it all.
	oneBlock bool
	// others are bodies with the verdict that each must get.
	others map[string]variant
}

type variant struct {
	body string
	want []Reason
}

func right(body string) variant { return variant{body, []Reason{Correct}} }

func wrong(body string, want ...Reason) variant { return variant{body, want} }

var operators = []operator{
	{
		name: "vadd", shapes: map[string]int64{"n": 1000}, outputs: "n",
		arguments: `[{"name":"a","type":"f32","role":"input","shape":["n"]},{"name":"b","type":"f32","role":"input","shape":["n"]},
			{"name":"out","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches: `[{"grid":["ceil(n, 256)"],"block":[256]}]`, params: "const float *a, const float *b, float *out, int n",
		reference: `void reference(const float *a, const float *b, float *out, int n) { for (int i = 0; i < n; i++) out[i] = a[i] + b[i]; }`,
		body:      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(i, a[i] + b[i]);`,
		others: map[string]variant{
			"stride":   right(`for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) STORE(i, __ldg(a + i) + b[i]);`),
			"no guard": wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; STORE(i, a[i] + b[i]);`, WritesOutside, ReadsOutside), // both, at one line
			"minus":    wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(i, a[i] - b[i]);`, WrongOutput),
		},
	}, {
		name: "saxpy", shapes: map[string]int64{"n": 777}, outputs: "n",
		arguments: `[{"name":"alpha","type":"f32","role":"scalar","value":1.5},{"name":"x","type":"f32","role":"input","shape":["n"]},
			{"name":"y","type":"f32","role":"input","shape":["n"]},{"name":"out","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches: `[{"grid":["ceil(n, 128)"],"block":[128]}]`, params: "float alpha, const float *x, const float *y, float *out, int n",
		reference: `void reference(float alpha, const float *x, const float *y, float *out, int n) { for (int i = 0; i < n; i++) out[i] = alpha * x[i] + y[i]; }`,
		body:      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(i, alpha * x[i] + y[i]);`,
		others: map[string]variant{
			"fma":        right(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; STORE(i, fmaf(alpha, x[i], y[i]));`),
			"misaligned": wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / 2) { float2 v = *(const float2 *)(x + i + 1); STORE(i, v.x); }`, InvalidAccess),
			"last lost":  wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n - 1) STORE(i, alpha * x[i] + y[i]);`, UnwrittenOutput),
		},
	}, {
		name: "softmax", shapes: map[string]int64{"rows": 12, "cols": 200}, outputs: "rows * cols",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["rows","cols"],"data":{"random":"uniform","low":-4,"high":4}},
			{"name":"out","type":"f32","role":"output","shape":["rows","cols"],"tolerance":{"abs":1e-6,"rel":1e-4}},
			{"name":"rows","type":"i32","role":"scalar","value":"rows"},{"name":"cols","type":"i32","role":"scalar","value":"cols"}]`,
		launches: `[{"grid":["rows"],"block":[128]}]`, params: "const float *x, float *out, int rows, int cols",
		reference: `void reference(const float *x, float *out, int rows, int cols) { for (int r = 0; r < rows; r++) { double m = -1e300, s = 0;
			for (int c = 0; c < cols; c++) m = std::max(m, (double)x[r * cols + c]); for (int c = 0; c < cols; c++) s += exp(x[r * cols + c] - m);
			for (int c = 0; c < cols; c++) out[r * cols + c] = exp(x[r * cols + c] - m) / s; } }`,
		body: `__shared__ float s[128]; const float *row = x + blockIdx.x * cols; int t = threadIdx.x; float m = -INFINITY;
			for (int c = t; c < cols; c += 128) m = fmaxf(m, row[c]); s[t] = m; __syncthreads();
			for (int d = 64; d > 0; d /= 2) { if (t < d) s[t] = fmaxf(s[t], s[t + d]); __syncthreads(); } m = s[0]; __syncthreads();
			float sum = 0; for (int c = t; c < cols; c += 128) sum += expf(row[c] - m); s[t] = sum; __syncthreads();
			for (int d = 64; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); } sum = s[0];
			for (int c = t; c < cols; c += 128) STORE(blockIdx.x * cols + c, expf(row[c] - m) / sum);`,
		others: map[string]variant{
			"slow": right(`const float *row = x + blockIdx.x * cols; float m = -INFINITY, sum = 0; for (int c = 0; c < cols; c++) m = fmaxf(m, row[c]);
				for (int c = 0; c < cols; c++) sum += __expf(row[c] - m); for (int c = threadIdx.x; c < cols; c += blockDim.x) STORE(blockIdx.x * cols + c, __expf(row[c] - m) / sum);`),
			"one barrier less": wrong(`__shared__ float s[128]; const float *row = x + blockIdx.x * cols; int t = threadIdx.x; float sum = 0;
				for (int c = t; c < cols; c += 128) sum += expf(row[c]); s[t] = sum; __syncthreads();
				for (int d = 64; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; if (d != 16) __syncthreads(); } sum = s[0];
				for (int c = t; c < cols; c += 128) STORE(blockIdx.x * cols + c, expf(row[c]) / sum);`, Race),
			"own sum": wrong(`const float *row = x + blockIdx.x * cols; float sum = 0; for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(row[c]);
				for (int c = threadIdx.x; c < cols; c += blockDim.x) STORE(blockIdx.x * cols + c, expf(row[c]) / sum);`, WrongOutput),
		},
	}, {
		name: "layernorm", shapes: map[string]int64{"rows": 9, "cols": 96}, outputs: "rows * cols",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["rows","cols"],"data":{"random":"normal","low":3,"high":5}},
			{"name":"g","type":"f32","role":"input","shape":["cols"]},{"name":"out","type":"f32","role":"output","shape":["rows","cols"]},
			{"name":"rows","type":"i32","role":"scalar","value":"rows"},{"name":"cols","type":"i32","role":"scalar","value":"cols"}]`,
		launches: `[{"grid":["rows"],"block":[32]}]`, params: "const float *x, const float *g, float *out, int rows, int cols",
		reference: `void reference(const float *x, const float *g, float *out, int rows, int cols) { for (int r = 0; r < rows; r++) { double m = 0, v = 0;
			for (int c = 0; c < cols; c++) m += x[r * cols + c]; m /= cols; for (int c = 0; c < cols; c++) v += (x[r * cols + c] - m) * (x[r * cols + c] - m); v /= cols;
			for (int c = 0; c < cols; c++) out[r * cols + c] = g[c] * (x[r * cols + c] - m) / sqrt(v + 1e-5); } }`,
		body: `const float *row = x + blockIdx.x * cols; int t = threadIdx.x; float m = 0; for (int c = t; c < cols; c += 32) m += row[c];
			for (int d = 16; d > 0; d /= 2) m += __shfl_xor_sync(~0u, m, d); m /= cols; float v = 0; for (int c = t; c < cols; c += 32) v += (row[c] - m) * (row[c] - m);
			for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d); float r = rsqrtf(v / cols + 1e-5f);
			for (int c = t; c < cols; c += 32) STORE(blockIdx.x * cols + c, g[c] * (row[c] - m) * r);`,
		others: map[string]variant{
			"no gain": wrong(`const float *row = x + blockIdx.x * cols; float m = 0, v = 0; for (int c = 0; c < cols; c++) m += row[c]; m /= cols;
				for (int c = 0; c < cols; c++) v += (row[c] - m) * (row[c] - m); for (int c = threadIdx.x; c < cols; c += 32) STORE(blockIdx.x * cols + c, (row[c] - m) * rsqrtf(v / cols));`, WrongOutput),
			"half a warp": wrong(`const float *row = x + blockIdx.x * cols; int t = threadIdx.x; float m = 0; for (int c = t; c < cols; c += 32) m += row[c];
				if (t < 16) for (int d = 16; d > 0; d /= 2) m += __shfl_xor_sync(~0u, m, d); for (int c = t; c < cols; c += 32) STORE(blockIdx.x * cols + c, row[c] - m);`, MisusedBarrier, Hang),
		},
	}, {
		name: "matmul", shapes: map[string]int64{"m": 32, "n": 48, "k": 40}, outputs: "m * n",
		arguments: `[{"name":"a","type":"f32","role":"input","shape":["m","k"]},{"name":"b","type":"f32","role":"input","shape":["k","n"]},{"name":"out","type":"f32","role":"output","shape":["m","n"]},
			{"name":"m","type":"i32","role":"scalar","value":"m"},{"name":"n","type":"i32","role":"scalar","value":"n"},{"name":"k","type":"i32","role":"scalar","value":"k"}]`,
		launches: `[{"grid":["ceil(n, 16)","ceil(m, 16)"],"block":[16,16]}]`, params: "const float *a, const float *b, float *out, int m, int n, int k",
		reference: `void reference(const float *a, const float *b, float *out, int m, int n, int k) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { double s = 0;
			for (int l = 0; l < k; l++) s += (double)a[i * k + l] * b[l * n + j]; out[i * n + j] = s; } }`,
		body: tiledMatmul("__syncthreads();", "__syncthreads();"),
		others: map[string]variant{
			"plain": right(`int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y; if (i >= m || j >= n) return; float s = 0;
				for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * n + j]; STORE(i * n + j, s);`),
			"no first barrier":  wrong(tiledMatmul("", "__syncthreads();"), Race, Uninitialized),
			"no second barrier": wrong(tiledMatmul("__syncthreads();", ""), Race),
			"swapped": wrong(`int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y; if (i >= m || j >= n) return; float s = 0;
				for (int l = 0; l < k; l++) s += a[l * m + i] * b[l * n + j]; STORE(i * n + j, s);`, WrongOutput),
		},
	}, {
		name: "transpose", shapes: map[string]int64{"h": 50, "w": 70}, outputs: "h * w",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["h","w"]},{"name":"out","type":"f32","role":"output","shape":["w","h"]},
			{"name":"h","type":"i32","role":"scalar","value":"h"},{"name":"w","type":"i32","role":"scalar","value":"w"}]`,
		launches: `[{"grid":["ceil(w, 16)","ceil(h, 16)"],"block":[16,16]}]`, params: "const float *x, float *out, int h, int w",
		reference: `void reference(const float *x, float *out, int h, int w) { for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) out[j * h + i] = x[i * w + j]; }`,
		body: `__shared__ float t[16][17]; int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y; if (c < w && r < h) t[threadIdx.y][threadIdx.x] = x[r * w + c]; __syncthreads();
			c = blockIdx.y * 16 + threadIdx.x; r = blockIdx.x * 16 + threadIdx.y; if (c < h && r < w) STORE(r * h + c, t[threadIdx.x][threadIdx.y]);`,
		others: map[string]variant{
			"plain": right(`int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y; if (c < w && r < h) STORE(c * h + r, x[r * w + c]);`),
			"no barrier": wrong(`__shared__ float t[16][16]; int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y; if (c < w && r < h) t[threadIdx.y][threadIdx.x] = x[r * w + c];
				c = blockIdx.y * 16 + threadIdx.x; r = blockIdx.x * 16 + threadIdx.y; if (c < h && r < w) STORE(r * h + c, t[threadIdx.x][threadIdx.y]);`, Race, Uninitialized),
			"copy": wrong(`int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y; if (c < w && r < h) STORE(r * w + c, x[r * w + c]);`, WrongOutput),
		},
	}, {
		name: "reduce", shapes: map[string]int64{"n": 2000}, outputs: "8",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"out","type":"f32","role":"output","shape":[8]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches:  `[{"grid":[8],"block":[256]}]`, params: "const float *x, float *out, int n",
		reference: `void reference(const float *x, float *out, int n) { for (int b = 0; b < 8; b++) { double s = 0; for (int i = b * 256; i < n && i < (b + 1) * 256; i++) s += x[i]; out[b] = s; } }`,
		body: `__shared__ float s[256]; int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x; s[t] = i < n ? x[i] : 0; __syncthreads();
			for (int d = 128; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) STORE(blockIdx.x, s[0]);`,
		others: map[string]variant{
			"shuffles": right(`__shared__ float s[8]; int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x; float v = i < n ? x[i] : 0; for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
				if (t % 32 == 0) s[t / 32] = v; __syncthreads(); if (t == 0) { v = 0; for (int w = 0; w < 8; w++) v += s[w]; STORE(blockIdx.x, v); }`),
			"warp synchronous": wrong(`__shared__ float s[256]; int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x; s[t] = i < n ? x[i] : 0; __syncthreads();
				for (int d = 128; d > 32; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t < 32) for (int d = 32; d > 0; d /= 2) s[t] += s[t + d]; if (t == 0) STORE(blockIdx.x, s[0]);`, Race),
			"barrier in branch": wrong(`__shared__ float s[256]; int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x; s[t] = i < n ? x[i] : 0; __syncthreads();
				for (int d = 128; d > 0; d /= 2) if (t < d) { s[t] += s[t + d]; __syncthreads(); } if (t == 0) STORE(blockIdx.x, s[0]);`, MisusedBarrier, Race, Hang),
			"tail lost": wrong(`__shared__ float s[256]; int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x; s[t] = i < n ? x[i] : 0; __syncthreads();
				for (int d = 128; d > 1; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) STORE(blockIdx.x, s[0]);`, WrongOutput),
		},
	}, {
		name: "scan", shapes: map[string]int64{"n": 500}, outputs: "n", oneBlock: true,
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"out","type":"f32","role":"output","shape":["n"],"tolerance":{"abs":1e-4,"rel":1e-4}},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches:  `[{"grid":[1],"block":[512]}]`, params: "const float *x, float *out, int n",
		reference: `void reference(const float *x, float *out, int n) { double s = 0; for (int i = 0; i < n; i++) out[i] = s += x[i]; }`,
		body:      hillisSteele("__syncthreads();"),
		others: map[string]variant{
			"serial":     right(`if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < n; i++) { s += x[i]; STORE(i, s); } }`),
			"no barrier": wrong(hillisSteele(""), Race),
			"exclusive":  wrong(`if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < n; i++) { STORE(i, s); s += x[i]; } }`, WrongOutput),
		},
	}, {
		name: "histogram", shapes: map[string]int64{"n": 3000}, outputs: "64", integer: true, oneBlock: true,
		arguments: `[{"name":"x","type":"i32","role":"input","shape":["n"],"data":{"random":"integers","low":0,"high":63}},{"name":"out","type":"i32","role":"output","shape":[64]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches:  `[{"grid":[1],"block":[128]}]`, params: "const int *x, int *out, int n",
		reference: `void reference(const int *x, int *out, int n) { for (int b = 0; b < 64; b++) out[b] = 0; for (int i = 0; i < n; i++) out[x[i]]++; }`,
		body: `__shared__ int s[64]; if (threadIdx.x < 64) s[threadIdx.x] = 0; __syncthreads(); for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(s + x[i], 1); __syncthreads();
			if (threadIdx.x < 64) STORE(threadIdx.x, s[threadIdx.x]);`,
		others: map[string]variant{
			"by bin": right(`if (threadIdx.x < 64) { int c = 0; for (int i = 0; i < n; i++) c += x[i] == threadIdx.x; STORE(threadIdx.x, c); }`),
			"no atomics": wrong(`__shared__ int s[64]; if (threadIdx.x < 64) s[threadIdx.x] = 0; __syncthreads(); for (int i = threadIdx.x; i < n; i += blockDim.x) s[x[i]]++; __syncthreads();
				if (threadIdx.x < 64) STORE(threadIdx.x, s[threadIdx.x]);`, Race),
			"not cleared":        wrong(`__shared__ int s[64]; for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(s + x[i], 1); __syncthreads(); if (threadIdx.x < 64) STORE(threadIdx.x, s[threadIdx.x]);`, Uninitialized),
			"output not cleared": wrong(`for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out + x[i], 1);`, Uninitialized),
		},
	}, {
		name: "conv1d", shapes: map[string]int64{"n": 600, "taps": 9}, outputs: "n",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"w","type":"f32","role":"input","shape":["taps"]},{"name":"out","type":"f32","role":"output","shape":["n"]},
			{"name":"n","type":"i32","role":"scalar","value":"n"},{"name":"taps","type":"i32","role":"scalar","value":"taps"}]`,
		launches: `[{"grid":["ceil(n, 128)"],"block":[128],"shared":"4 * (128 + taps)"}]`, params: "const float *x, const float *w, float *out, int n, int taps",
		reference: `void reference(const float *x, const float *w, float *out, int n, int taps) { for (int i = 0; i < n; i++) { double s = 0;
			for (int t = 0; t < taps; t++) { int j = i + t - taps / 2; if (j >= 0 && j < n) s += (double)x[j] * w[t]; } out[i] = s; } }`,
		body: `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int t = 0; t < taps; t++) { int j = i + t - taps / 2; if (j >= 0 && j < n) s += x[j] * w[t]; } STORE(i, s);`,
		others: map[string]variant{
			"shared": right(`extern __shared__ float s[]; int h = taps / 2, i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = threadIdx.x; j < blockDim.x + taps - 1; j += blockDim.x) {
				int g = blockIdx.x * blockDim.x + j - h; s[j] = g >= 0 && g < n ? x[g] : 0; } __syncthreads(); if (i < n) { float v = 0; for (int t = 0; t < taps; t++) v += s[threadIdx.x + t] * w[t]; STORE(i, v); }`),
			"halo":     wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int t = 0; t < taps; t++) s += x[i + t - taps / 2] * w[t]; STORE(i, s);`, ReadsOutside),
			"shifted":  wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int t = 0; t < taps; t++) { int j = i + t; if (j < n) s += x[j] * w[t]; } STORE(i, s);`, WrongOutput),
			"too much": wrong(`extern __shared__ float s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[2 * threadIdx.x] = 1; if (i < n) STORE(i, s[2 * threadIdx.x]);`, WritesOutside),
		},
	}, {
		name: "gather", shapes: map[string]int64{"n": 900, "m": 400}, outputs: "m",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"idx","type":"i32","role":"input","shape":["m"],"data":{"random":"integers","low":0,"high":899}},
			{"name":"out","type":"f32","role":"output","shape":["m"]},{"name":"n","type":"i32","role":"scalar","value":"n"},{"name":"m","type":"i32","role":"scalar","value":"m"}]`,
		launches: `[{"grid":["ceil(m, 64)"],"block":[64]}]`, params: "const float *x, const int *idx, float *out, int n, int m",
		reference: `void reference(const float *x, const int *idx, float *out, int n, int m) { for (int i = 0; i < m; i++) out[i] = x[idx[i]]; }`,
		body:      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) STORE(i, x[idx[i]]);`,
		others: map[string]variant{
			"twice":   wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) STORE(i, x[2 * idx[i]]);`, ReadsOutside),
			"in line": wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) STORE(i, x[i]);`, WrongOutput),
		},
	}, {
		name: "scatter", shapes: map[string]int64{"n": 512}, outputs: "n",
		arguments: `[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"idx","type":"i32","role":"input","shape":["n"],"data":{"random":"permutation"}},
			{"name":"out","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`,
		launches: `[{"grid":["ceil(n, 128)"],"block":[128]}]`, params: "const float *x, const int *idx, float *out, int n",
		reference: `void reference(const float *x, const int *idx, float *out, int n) { for (int i = 0; i < n; i++) out[idx[i]] = x[i]; }`,
		body:      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(idx[i], x[i]);`,
		others: map[string]variant{
			"collide": wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(idx[i] / 2, x[i]);`, UnwrittenOutput),
			"inverse": wrong(`int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) STORE(i, x[idx[i]]);`, WrongOutput),
		},
	}, {
		name: "attention", shapes: map[string]int64{"keys": 64, "d": 32, "q": 6}, outputs: "q * d",
		arguments: `[{"name":"Q","type":"f32","role":"input","shape":["q","d"]},{"name":"K","type":"f32","role":"input","shape":["keys","d"]},{"name":"V","type":"f32","role":"input","shape":["keys","d"]},
			{"name":"out","type":"f32","role":"output","shape":["q","d"]},{"name":"keys","type":"i32","role":"scalar","value":"keys"},{"name":"d","type":"i32","role":"scalar","value":"d"},{"name":"q","type":"i32","role":"scalar","value":"q"}]`,
		launches: `[{"grid":["q"],"block":["keys"]}]`, params: "const float *Q, const float *K, const float *V, float *out, int keys, int d, int q",
		reference: `void reference(const float *Q, const float *K, const float *V, float *out, int keys, int d, int q) { for (int i = 0; i < q; i++) { std::vector<double> s(keys); double m = -1e300, z = 0;
			for (int k = 0; k < keys; k++) { for (int c = 0; c < d; c++) s[k] += (double)Q[i * d + c] * K[k * d + c]; s[k] /= sqrt((double)d); m = std::max(m, s[k]); }
			for (int k = 0; k < keys; k++) z += s[k] = exp(s[k] - m); for (int c = 0; c < d; c++) { double o = 0; for (int k = 0; k < keys; k++) o += s[k] * V[k * d + c]; out[i * d + c] = o / z; } } }`,
		body: attentionRow("__syncthreads();"),
		others: map[string]variant{
			"no barrier": wrong(attentionRow(""), Race, Uninitialized),
			"no scale": wrong(`int t = threadIdx.x; if (t < d) { float z = 0, o = 0; for (int k = 0; k < keys; k++) { float s = 0; for (int c = 0; c < d; c++) s += Q[blockIdx.x * d + c] * K[k * d + c];
				s = expf(s); z += s; o += s * V[k * d + t]; } STORE(blockIdx.x * d + t, o / z); }`, WrongOutput),
		},
	},
}

func tiledMatmul(first, second string) string {
	return `__shared__ float s[16][16], t[16][16]; int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y; float v = 0;
		for (int l = 0; l < k; l += 16) { s[threadIdx.y][threadIdx.x] = i < m && l + threadIdx.x < k ? a[i * k + l + threadIdx.x] : 0;
		t[threadIdx.y][threadIdx.x] = j < n && l + threadIdx.y < k ? b[(l + threadIdx.y) * n + j] : 0; ` + first + `
		for (int c = 0; c < 16; c++) v += s[threadIdx.y][c] * t[c][threadIdx.x]; ` + second + ` } if (i < m && j < n) STORE(i * n + j, v);`
}

func hillisSteele(barrier string) string {
	return `__shared__ float s[2][512]; int t = threadIdx.x, p = 0; s[0][t] = t < n ? x[t] : 0; __syncthreads();
		for (int d = 1; d < 512; d *= 2) { s[1 - p][t] = t >= d ? s[p][t] + s[p][t - d] : s[p][t]; p = 1 - p; ` + barrier + ` } if (t < n) STORE(t, s[p][t]);`
}

func attentionRow(barrier string) string {
	return `__shared__ float s[64]; int t = threadIdx.x; float v = 0; for (int c = 0; c < d; c++) v += Q[blockIdx.x * d + c] * K[t * d + c]; s[t] = v * rsqrtf((float)d); ` + barrier + `
		if (t < d) { float m = -INFINITY, z = 0, o = 0; for (int k = 0; k < keys; k++) m = fmaxf(m, s[k]); for (int k = 0; k < keys; k++) { float e = expf(s[k] - m); z += e; o += e * V[k * d + t]; }
		STORE(blockIdx.x * d + t, o / z); }`
}
