package program

import "testing"

// TestZeroColumns has the examples of the ISA ("Zero-Column Mask Descriptor"), the lowest column last.
func TestZeroColumns(t *testing.T) {
	for _, c := range []struct {
		m     int
		start [4]uint64
		first [4]uint64
		on    uint64
		want  []string
	}{
		{128, [4]uint64{}, [4]uint64{}, 0, []string{"00000000"}},
		{128, [4]uint64{}, [4]uint64{}, 1, []string{"11100001110000"}},
		{64, [4]uint64{}, [4]uint64{1}, 1, []string{"11100001110000111", "00001110000111000" + "0"}},
		{32, [4]uint64{0, 1, 2, 1}, [4]uint64{1, 1}, 1, []string{"00001110000111", "0000111000011", "111000011100", "1110000111000"}},
	} {
		desc := c.on<<39 | 2<<40 | 3<<48 | 2<<56
		for i := range 4 {
			desc |= c.start[i]<<(8*i) | c.first[i]<<(32+i)
		}
		zero, shift := ZeroColumns(desc, c.m, 128)
		if shift != 2 {
			t.Errorf("shift %d", shift)
		}
		for part, want := range c.want {
			for i := range want {
				if got := zero[part*c.m+i]; got != (want[len(want)-1-i] == '1') {
					t.Errorf("m=%d: part %d, column %d: %v", c.m, part, i, got)
				}
			}
		}
	}
}
