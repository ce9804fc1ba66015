package guards

import "testing"

func TestField(t *testing.T) {
	for mask, want := range map[uint32]int{0xff: 1, 0xff0000: 1, 0xffff: 2, 0xffff0000: 2, 0xff00ff: 0, 0xffff00: 0, 0: 0, ^uint32(0): 0} {
		if got := field(mask); got != want {
			t.Errorf("%#x: %d bytes, want %d", mask, got, want)
		}
	}
}
