package mem

import (
	"slices"
	"testing"
)

// TestTouches: what is accessed is among what was touched, and what lies far from it is not.
func TestTouches(t *testing.T) {
	a, err := New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	const size = 8 << 20
	al, err := a.Alloc(size, 0, Device, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(size) {
		a.Bytes(al.Base+i, 1)[0] = byte(i >> 12)
	}
	w, err := a.Touches()
	if err != nil {
		t.Skip(err)
	}
	const read, written = 3 << 20, 6 << 20
	if got := a.Bytes(al.Base+read, 1)[0]; got != byte(read>>12&0xff) {
		t.Errorf("contents lost: %d", got)
	}
	a.Bytes(al.Base+written, 1)[0] = 1
	var at []uint64
	err = w.Each(al.Base, size, func(addr, n uint64) {
		for o := uint64(0); o < n; o += 4096 {
			at = append(at, addr+o-al.Base)
		}
	})
	if err != nil {
		t.Skip(err)
	}
	has := func(off uint64) bool {
		return slices.ContainsFunc(at, func(o uint64) bool { return o <= off && off < o+4096 })
	}
	if !has(read) || !has(written) {
		t.Errorf("accesses are missing: %d pages", len(at))
	}
	if has(1<<20) || has(7<<20) || len(at) > 1<<8 {
		t.Logf("%d pages touched: the kernel maps large pages", len(at))
	}
}
