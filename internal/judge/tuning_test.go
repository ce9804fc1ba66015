package judge

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestTuning: host code that measures kernels and takes the fastest is correct, also where the output is as small as what a choice says: its
// clocks are the same in each run. Choices by the result are as suspect as without a clock.
func TestTuning(t *testing.T) {
	tooltest.NeedsClang(t)
	all := []whole{
		{"tunes add", "add", `double best = 1e9; int with = 0; for (int k = 32; k <= 512; k *= 2) { auto f = [&] { add<<<(n + k - 1) / k, k>>>(a, b, out, n); cudaDeviceSynchronize(); }; f(); double s = seconds(); for (int i = 0; i < 3; i++) f(); s = seconds() - s; if (s < best) best = s, with = k; } cudaMemset(out, 0, 4 * n); add<<<(n + with - 1) / with, with>>>(a, b, out, n);`, "", ""},
		{"tunes sum", "sum", `int with = 0; double best = 1e9; for (int k = 32; k <= 256; k *= 2) { double s = seconds(); clear<<<1, 1>>>(out); total<<<(n + k - 1) / k, k>>>(a, out, n); cudaDeviceSynchronize(); s = seconds() - s; if (s < best) best = s, with = k; } clear<<<1, 1>>>(out); total<<<(n + with - 1) / with, with>>>(a, out, n);`, "", ""},
		{"tunes sum between two kernels", "sum", `double took[2]; int *p = room(8); for (int w = 0; w < 2; w++) { double s = seconds(); clear<<<1, 1>>>(out); if (w) total<<<4, 256>>>(a, out, n); else { partial<<<4, 256>>>(a, p, n); total<<<1, 4>>>(p, out, 4); } cudaDeviceSynchronize(); took[w] = seconds() - s; } clear<<<1, 1>>>(out); if (took[1] < took[0]) total<<<4, 256>>>(a, out, n); else { partial<<<4, 256>>>(a, p, n); total<<<1, 4>>>(p, out, 4); }`, "", ""},
		{"tunes until it is sure", "sum", `int with = 0; double best = 1e9; for (int k = 64; k <= 256; k *= 2) { int runs = 0; double s = seconds(); do { clear<<<1, 1>>>(out); total<<<(n + k - 1) / k, k>>>(a, out, n); cudaDeviceSynchronize(); runs++; } while (seconds() - s < 0.005); s = (seconds() - s) / runs; if (s < best) best = s, with = k; } clear<<<1, 1>>>(out); total<<<(n + with - 1) / with, with>>>(a, out, n);`, "", ""},
		{"tunes by events", "sum", `cudaEvent_t e[2]; for (auto &x : e) cudaEventCreate(&x); int with = 0; float best = 1e9; for (int k = 32; k <= 256; k *= 2) { cudaEventRecord(e[0]); clear<<<1, 1>>>(out); total<<<(n + k - 1) / k, k>>>(a, out, n); cudaEventRecord(e[1]); cudaEventSynchronize(e[1]); float ms; cudaEventElapsedTime(&ms, e[0], e[1]); if (ms < best) best = ms, with = k; } clear<<<1, 1>>>(out); total<<<(n + with - 1) / with, with>>>(a, out, n);`, "", ""},
		{"tunes by the result", "sum", `int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 0; k < 31; k++) { double s = seconds(); if (r >> (30 - k) & 1) usleep(2000); s = seconds() - s; if (s > 0.002) bit1<<<1, 1>>>(out); else bit0<<<1, 1>>>(out); }`, Suspect, HostData},
	}
	source := strings.Replace(hostMain(all), "static int blocks(", "#include <string>\n"+moreSource+"static int blocks(", 1)
	source += "#define now 7\n#define steps 8\n#define kStep 9\n" // of no concern to the clock
	var lines []string
	for i, p := range all {
		lines = append(lines, p.line(source, i))
	}
	for k, v := range stream(t, newJudge(t), "", lines...) {
		checkProgram(t, &all[k], v)
	}
}
