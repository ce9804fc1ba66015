package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// productTimes are kernel times of a product of matrices by tiles of 128 by 128 by 64, in seconds:
// by mma.sync and by wgmma with TMA, each without checks and with all correctness checks.
type productTimes struct {
	depth        int
	mma, wgmma   float64
	mmaChecked   float64
	wgmmaChecked float64
}

// measureProducts runs kernels/products.cu in each way; the best of some runs counts.
func (b *bench) measureProducts(ctx context.Context) (t productTimes, err error) {
	t.depth = 2048
	if b.cfg.quick {
		t.depth = 128
	}
	for _, m := range []struct {
		way, tools string
		to         *float64
	}{{"mma", "launch", &t.mma}, {"wgmma", "launch", &t.wgmma}, {"mma", "", &t.mmaChecked}, {"wgmma", "", &t.wgmmaChecked}} {
		for r := range b.cfg.rounds {
			s, err := b.product(ctx, m.way, m.tools, t.depth)
			if err != nil {
				return t, err
			}
			if r == 0 || s < *m.to {
				*m.to = s
			}
		}
	}
	return t, nil
}

// product is one run, of which nothing may be reported.
func (b *bench) product(ctx context.Context, way, tools string, depth int) (float64, error) {
	args := []string{"run", "-q", "--arch", "sm_90a", "-o", os.DevNull}
	if tools != "" {
		args = append(args, "--tool", tools)
	}
	args = append(args, filepath.Join(b.cfg.kernels, "products.cu"), "--", way, strconv.Itoa(depth), strconv.Itoa(b.cfg.reps))
	out, err := exec.CommandContext(ctx, b.warpgrind, args...).Output()
	if err != nil {
		return 0, fmt.Errorf("products %s: %w: %s", way, err, firstLine(string(out)))
	}
	return strconv.ParseFloat(firstLine(strings.TrimSpace(string(out))), 64)
}

// productsSection is the page's table of products.
func productsSection(t productTimes) string {
	var w strings.Builder
	fmt.Fprintf(&w, "\n## Hopper\n\nKernel time in ms of a product of 256 by 256 by %d by tiles of 128 by 128 by 64 (bench/kernels/products.cu, sm_90a): by `mma.sync` on tiles\n"+
		"that `cp.async` loads, and by `wgmma` on tiles that TMA loads, with a producer warp and two warpgroups.\n\n"+
		"| | no checks | all correctness checks | no checks by mma.sync / all checks |\n| --- | ---: | ---: | ---: |\n", t.depth)
	for _, r := range []struct {
		way            string
		plain, checked float64
	}{{"mma.sync", t.mma, t.mmaChecked}, {"wgmma", t.wgmma, t.wgmmaChecked}} {
		fmt.Fprintf(&w, "| %s | %s | %s | %s |\n", r.way, number(1e3*r.plain), number(1e3*r.checked), number(t.mma/r.checked))
	}
	return w.String()
}
