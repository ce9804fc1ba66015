package fatbin

import (
	"bytes"
	"strings"
	"testing"
)

func TestPack(t *testing.T) {
	long := []byte(strings.Repeat("add.s32 %r1, %r2, %r3;\n", packed/20))
	for _, text := range [][]byte{nil, []byte(".version 8.0\n"), long} {
		p, err := Pack(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Unpack(p); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes of %d came back, error %v", len(got), len(text), err)
		}
		if len(p) > max(len(text)/10, 100) {
			t.Errorf("%d bytes of %d", len(p), len(text))
		}
	}
	p, err := Pack(long)
	if err != nil {
		t.Fatal(err)
	}
	for n := len(frame); n < len(p); n++ {
		if _, err := Unpack(p[:n]); err == nil {
			t.Fatalf("no error for %d bytes of %d", n, len(p))
		}
	}
}
