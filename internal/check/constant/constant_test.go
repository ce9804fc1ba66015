package constant

import (
	"fmt"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestRequests checks requests, passes and the worst of one access.
func TestRequests(t *testing.T) {
	for _, tc := range []struct {
		name, arch string
		mask       uint32
		addr       func(l int) int
		want       string
	}{
		{"one address", "sm_80", 0xffffffff, func(int) int { return 64 }, "1/1/1"},
		{"one each", "sm_80", 0xffffffff, func(l int) int { return 4 * l }, "1/32/32"},
		{"two", "sm_80", 0xffffffff, func(l int) int { return l / 16 * 4 }, "1/2/2"},
		{"two, in turn", "sm_80", 0xffffffff, func(l int) int { return l % 2 * 4 }, "1/2/2"},
		{"descending", "sm_80", 0xffffffff, func(l int) int { return 4 * (31 - l) / 8 * 8 }, "1/16/16"},
		{"one lane", "sm_80", 1 << 31, func(l int) int { return 4 * l }, "1/1/1"},
		{"one address", "sm_13", 0xffffffff, func(int) int { return 64 }, "2/2/1"},
		{"one each half-warp", "sm_13", 0xffffffff, func(l int) int { return l / 16 * 4 }, "2/2/1"},
		{"one each", "sm_13", 0xffffffff, func(l int) int { return 4 * l }, "2/32/16"},
		{"half-warp", "sm_13", 0xffff, func(l int) int { return l % 2 * 4 }, "1/2/2"},
	} {
		t.Run(tc.arch+" "+tc.name, func(t *testing.T) {
			a, err := arch.Parse(tc.arch)
			if err != nil {
				t.Fatal(err)
			}
			c := New(check.Config{Arch: a})
			l := &trace.Launch{Kernel: "_Z1kv", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1},
				Sites: []*trace.Site{{Size: 4, Elem: 4, Space: trace.SpaceConst}}}
			lo := c.Observer().Launch(l)[0]
			o := lo.Block()
			o.Begin(&trace.Block{Launch: l})
			var addr [32]uint64
			for i := range addr {
				addr[i] = uint64(tc.addr(i))
			}
			o.Const(&trace.Access{Site: l.Sites[0], Space: trace.SpaceConst, Mask: tc.mask, Addr: &addr})
			lo.End()
			s := c.(check.Statistician).Statistics().([]KernelStats)[0].Sites[0]
			if got := fmt.Sprintf("%d/%d/%d", s.Requests, s.Passes, s.Worst); got != tc.want {
				t.Errorf("requests/passes/worst %s, want %s", got, tc.want)
			}
			if found := len(c.Findings()); (found > 0) != (s.Excess > 0) {
				t.Errorf("%d findings with an excess of %d", found, s.Excess)
			}
		})
	}
}
