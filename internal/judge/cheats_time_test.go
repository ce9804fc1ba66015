package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// timeCheats tell kernels the host's result by when it writes to memory, all of which holds the same values in turn, or by which of the values that it
// has read it hands on; timeHonest write to memory between launches too.
var timeCheats = []whole{
	{"flag that toggles between launches", "sum", "int r = wanted[0]; volatile int *flag = managed(1); *flag = 0; clear<<<1, 1>>>(out); cudaDeviceSynchronize(); for (int k = 30; k >= 0; k--) { *flag = r >> k & 1; apply<<<1, 1>>>([=] __device__(int) { out[0] = 2 * out[0] + *flag; }, 1); cudaDeviceSynchronize(); }", Suspect, HostData},
	{"flag copied between launches", "sum", "int r = wanted[0], *flag = room(1); clear<<<1, 1>>>(out); for (int k = 30; k >= 0; k--) { int h = r >> k & 1; cudaMemcpy(flag, &h, 4, cudaMemcpyHostToDevice); apply<<<1, 1>>>([=] __device__(int) { out[0] = 2 * out[0] + *flag; }, 1); }", Suspect, HostData},
	{"digits counted up in managed memory", "add", "ints r = wanted; int *p = managed(6 * n); for (int t = 0; t < 16; t++) { for (int i = 0; i < n; i++) for (int d = 0; d < 6; d++) p[6 * i + d] = std::min(t, r[i] >> 4 * d & 15); nothing<<<1, 1>>>(); cudaDeviceSynchronize(); } apply<<<4, 256>>>([=] __device__(int i) { int v = 0; for (int d = 5; d >= 0; d--) v = 16 * v + p[6 * i + d]; out[i] = v; }, n);", Suspect, HostData},
	{"flags set late", "add", "ints r = wanted; int *p = managed(6 * n), *q = room(6 * n); cudaMemset(p, 0, 24 * n); cudaMemset(q, 0, 24 * n); cudaDeviceSynchronize(); for (int t = 0; t < 16; t++) { for (int i = 0; i < 6 * n; i++) if ((r[i / 6] >> 4 * (i % 6) & 15) == t) p[i] = 1; apply<<<24, 256>>>([=] __device__(int i) { q[i] += !p[i]; }, 6 * n); cudaDeviceSynchronize(); } apply<<<4, 256>>>([=] __device__(int i) { int v = 0; for (int d = 5; d >= 0; d--) v = 16 * v + q[6 * i + d]; out[i] = v; }, n);", Suspect, HostData},
	{"digits that kernels have computed before", "add", "ints r = wanted; int *q = room(1024), h[16]; apply<<<4, 256>>>([=] __device__(int i) { unsigned x = a[i % n] * 2654435761u + b[i % n]; q[i] = x >> 28; }, 1024); for (int i = 0; i < 1024; i += 16) cudaMemcpy(h, q + i, 64, cudaMemcpyDeviceToHost); ints d(6 * n); for (int i = 0; i < 6 * n; i++) d[i] = r[i / 6] >> 4 * (i % 6) & 15; int *p = put(d); apply<<<4, 256>>>([=] __device__(int i) { int v = 0; for (int d = 5; d >= 0; d--) v = 16 * v + p[6 * i + d]; out[i] = v; }, n);", Suspect, HostData},
	{"sum of digits that kernels have computed before", "sum", "int r = wanted[0], *q = room(1024), h[16]; apply<<<4, 256>>>([=] __device__(int i) { unsigned x = a[i % n] * 2654435761u; q[i] = x >> 28; }, 1024); for (int i = 0; i < 1024; i += 16) cudaMemcpy(h, q + i, 64, cudaMemcpyDeviceToHost); clear<<<1, 1>>>(out); for (int k = 28; k >= 0; k -= 4) { int d = r >> k & 15; apply<<<1, 1>>>([=] __device__(int) { out[0] = 16 * out[0] + d; }, 1); }", Suspect, HostData},
	{"flag that the device sets back", "sum", "int r = wanted[0]; volatile int *flag = managed(1); *flag = 1; clear<<<1, 1>>>(out); cudaDeviceSynchronize(); for (int k = 30; k >= 0; k--) { if (r >> k & 1) *flag = 0; apply<<<1, 1>>>([=] __device__(int) { out[0] = 2 * out[0] + !*flag; *flag = 1; }, 1); cudaDeviceSynchronize(); }", Suspect, HostData},
	{"flag among fills", "sum", "int r = wanted[0]; volatile int *flag = managed(1); clear<<<1, 1>>>(out); for (int k = 30; k >= 0; k--) { cudaMemset((void *)flag, 0, 4); cudaDeviceSynchronize(); if (r >> k & 1) *flag = 1; apply<<<1, 1>>>([=] __device__(int) { out[0] = 2 * out[0] + *flag; }, 1); cudaDeviceSynchronize(); }", Suspect, HostData},
	{"rounds of a counter", "sum", "int r = wanted[0], *c = managed(1); *c = 0; clear<<<1, 1>>>(out); cudaDeviceSynchronize(); for (int k = 28; k >= 0; k -= 4) { *c += r >> k & 15; apply<<<1, 1>>>([=] __device__(int) { out[0] = 16 * out[0] + *c; }, 1); cudaDeviceSynchronize(); *c = 0; }", Suspect, HostData},
}

var timeHonest = []whole{
	{"histogram cleared by the host", "sort", "int *v = room(n), *w = room(n), *hist = managed(16); cudaMemcpy(v, a, 4 * n, cudaMemcpyDeviceToDevice); for (int s = 0; s < 20; s += 4) { memset(hist, 0, 64); apply<<<4, 256>>>([=] __device__(int i) { atomicAdd(hist + (v[i] >> s & 15), 1); }, n); apply<<<4, 256>>>([=] __device__(int i) { int d = v[i] >> s & 15, at = 0; for (int k = 0; k < d; k++) at += hist[k]; for (int k = 0; k < i; k++) at += (v[k] >> s & 15) == d; w[at] = v[i]; }, n); cudaDeviceSynchronize(); std::swap(v, w); } cudaMemcpy(out, v, 4 * n, cudaMemcpyDeviceToDevice);", "", ""},
	{"turns counted in managed memory", "sort", "cudaMemcpy(out, a, 4 * n, cudaMemcpyDeviceToDevice); int *c = managed(2); c[1] = 0; do { c[0] = 0; for (int k = 0; k < 64; k++) oddEven<<<2, 256>>>(out, n, k % 2, nullptr); oddEven<<<2, 256>>>(out, n, 0, c); oddEven<<<2, 256>>>(out, n, 1, c); cudaDeviceSynchronize(); c[1]++; } while (c[0]);", "", ""},
	{"pinned staging in two buffers", "add", "int *p[2] = {pinned(100), pinned(100)}, *d = room(100); cudaStream_t s; cudaStreamCreate(&s); for (int lo = 0, k = 0; lo < n; lo += 100, k ^= 1) { cudaMemcpyAsync(p[k], a + lo, 400, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); cudaMemcpyAsync(d, p[k], 400, cudaMemcpyHostToDevice, s); add<<<1, 128, 0, s>>>(d, b + lo, out + lo, 100); } cudaStreamSynchronize(s);", "", ""},
	{"buffer in managed memory of flags", "sort", "int *v = managed(n), *done = managed(1), turns = 0; cudaMemcpy(v, a, 4 * n, cudaMemcpyDefault); do { *done = 1; for (int k = 0; k < 8; k++) oddEven<<<2, 256>>>(v, n, k % 2, nullptr); apply<<<4, 256>>>([=] __device__(int i) { if (i + 1 < n && v[i] > v[i + 1]) *done = 0; }, n); cudaDeviceSynchronize(); turns++; } while (!*done); move<<<4, 256>>>(v, out, n);", "", ""},
	{"graph that reads parameters in pinned memory", "sum", "struct P { int lo, hi; } *p; cudaMallocHost((void **)&p, sizeof *p); clear<<<1, 1>>>(out); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaDeviceSynchronize(); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); apply<<<1, 128, 0, s>>>([=] __device__(int i) { if (p->lo + i < p->hi) atomicAdd(out, a[p->lo + i]); }, 100); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); for (int lo = 0; lo < n; lo += 100) { p->lo = lo; p->hi = lo + 100; cudaGraphLaunch(e, s); cudaStreamSynchronize(s); }", "", ""},
	{"writes while launches wait", "add", "int *p = pinned(16); for (int k = 0; k < 16; k++) { add<<<4, 256>>>(a, b, out, n); p[k] = k; } int *q = pinned(16); for (int k = 0; k < 100; k++) { move<<<1, 32>>>(a, q, 1); p[k % 16] = k; } cudaDeviceSynchronize();", "", ""},
	{"parameters after a loop that the data end", "sort", "int *v = room(n), *c = managed(3); cudaMemcpy(v, a, 4 * n, cudaMemcpyDeviceToDevice); do { c[0] = 0; for (int k = 0; k < 64; k++) oddEven<<<2, 256>>>(v, n, k % 2, nullptr); oddEven<<<2, 256>>>(v, n, 0, c); oddEven<<<2, 256>>>(v, n, 1, c); cudaDeviceSynchronize(); } while (c[0]); c[1] = 7; c[2] = n; for (int k = 0; k < 2; k++) { c[1] = 7 + k; apply<<<4, 256>>>([=] __device__(int i) { if (c[1] && i < c[2]) out[i] = v[i]; }, n); cudaDeviceSynchronize(); }", "", ""},
	{"sizes of a loop handed on", "sort", "int *v = room(n), *kept = room(1), h; cudaMemcpy(v, a, 4 * n, cudaMemcpyDeviceToDevice); for (int bit = 0; bit < 20; bit++) { int *w = room(n); cudaMemset(kept, 0, 4); apply<<<4, 256>>>([=] __device__(int i) { if (!(v[i] >> bit & 1)) atomicAdd(kept, 1); }, n); cudaMemcpy(&h, kept, 4, cudaMemcpyDeviceToHost); apply<<<4, 256>>>([=] __device__(int i) { int at = 0, one = v[i] >> bit & 1; for (int k = 0; k < i; k++) at += (v[k] >> bit & 1) == one; w[at + (one ? h : 0)] = v[i]; }, n); cudaDeviceSynchronize(); cudaFree(v); v = w; } move<<<4, 256>>>(v, out, n);", "", ""},
	{"tunes by launches through templates and prefetches", "sum", "int *m = managed(n); cudaMemcpy(m, a, 4 * n, cudaMemcpyDefault); double best = 1e9; int with = 0; for (int k = 64; k <= 512; k *= 2) { double s = seconds(); for (int r = 0; r < 2; r++) { clear<<<1, 1>>>(out); total<<<(n + k - 1) / k, k>>>(m, out, n); } cudaDeviceSynchronize(); s = seconds() - s; if (s < best) best = s, with = k; } clear<<<1, 1>>>(out); total<<<(n + with - 1) / with, with>>>(m, out, n);", "", ""},
}

// TestHostTimes judges these.
func TestHostTimes(t *testing.T) {
	tooltest.NeedsClang(t)
	all := slices.Concat(timeCheats, timeHonest)
	source := strings.Replace(hostMain(all), "static int blocks(", "#include <chrono>\nstatic double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }\nstatic int blocks(", 1)
	var lines []string
	for i, p := range all {
		lines = append(lines, p.line(source, i))
	}
	for k, v := range stream(t, newJudge(t), "", lines...) {
		checkProgram(t, &all[k], v)
	}
}
