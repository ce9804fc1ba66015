package fatbin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

const text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"

// entry encodes an entry of a fat binary.
func entry(t *testing.T, kind, sm int, flags uint64, content string) []byte {
	t.Helper()
	payload := []byte(content)
	switch flags {
	case flagLZ4:
		buf := make([]byte, lz4.CompressBlockBound(len(payload)))
		n, err := lz4.CompressBlock(payload, buf, nil)
		if err != nil || n == 0 {
			t.Fatalf("compress: %d bytes, %v", n, err)
		}
		payload = buf[:n]
	case flagZstd:
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		payload = w.EncodeAll(payload, nil)
	}
	size := uint32(len(payload))
	for len(payload)%8 != 0 {
		payload = append(payload, 0)
	}
	b := make([]byte, 80)
	binary.LittleEndian.PutUint16(b, uint16(kind))
	binary.LittleEndian.PutUint32(b[4:], 80)
	binary.LittleEndian.PutUint64(b[8:], uint64(len(payload)))
	binary.LittleEndian.PutUint32(b[16:], size)
	binary.LittleEndian.PutUint32(b[28:], uint32(sm))
	binary.LittleEndian.PutUint64(b[40:], flags)
	binary.LittleEndian.PutUint64(b[56:], uint64(len(content)))
	return append(b, payload...)
}

// binaryOf encodes a fat binary.
func binaryOf(entries ...[]byte) []byte {
	body := bytes.Join(entries, nil)
	b := binary.LittleEndian.AppendUint32(nil, Magic)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, HeaderSize)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(body)))
	return append(b, body...)
}

func TestPTX(t *testing.T) {
	long := text + strings.Repeat("// the same again\n", 1000)
	for _, c := range []struct {
		name  string
		image []byte
		sm    int
		want  string
	}{
		{"plain", binaryOf(entry(t, KindPTX, 80, 0, text+"\x00")), 80, text},
		{"LZ4", binaryOf(entry(t, KindPTX, 80, flagLZ4, long)), 80, long},
		{"zstd", binaryOf(entry(t, KindPTX, 80, flagZstd, long+"\x00")), 80, long},
		{"beside machine code", binaryOf(entry(t, KindELF, 80, 0, "\x7fELF"), entry(t, KindPTX, 80, 0, text)), 80, text},
		{"the newest that is not newer", binaryOf(entry(t, KindPTX, 50, 0, "5"), entry(t, KindPTX, 75, 0, "7"), entry(t, KindPTX, 90, 0, "9")), 80, "7"},
		{"bytes after the end", append(binaryOf(entry(t, KindPTX, 80, 0, text)), "junk"...), 80, text},
		{"an unknown kind", binaryOf(entry(t, 8, 80, 0, "?"), entry(t, KindPTX, 80, 0, text)), 80, text},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := PTX(c.image, c.sm)
			if err != nil || string(got) != c.want {
				t.Errorf("got %.40q, %v; want %.40q", got, err, c.want)
			}
		})
	}
}

func TestNoPTX(t *testing.T) {
	image := binaryOf(entry(t, KindELF, 86, 0, "\x7fELF"), entry(t, KindELF, 90, 0, "\x7fELF"), entry(t, KindELF, 86, 0, "\x7fELF"))
	_, err := PTX(image, 80)
	var none *NoPTXError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "only machine code for sm_86, sm_90 and no PTX") {
		t.Errorf("got %v", err)
	}
	if _, err := PTX(binaryOf(), 80); !errors.As(err, &none) {
		t.Errorf("empty: got %v", err)
	}
}

// resized is an image whose header has the length of what follows it.
func resized(image []byte) []byte {
	b := bytes.Clone(image)
	binary.LittleEndian.PutUint64(b[8:], uint64(len(b)-HeaderSize))
	return b
}

func TestDamaged(t *testing.T) {
	good := binaryOf(entry(t, KindPTX, 80, flagZstd, text))
	change := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] = v
		return b
	}
	for name, image := range map[string][]byte{
		"empty":                   nil,
		"no header":               []byte("no fat binary at all"),
		"cut off":                 good[:len(good)-9],
		"entry cut off":           resized(good[:HeaderSize+entryHeader-1]),
		"header length":           change(6, 3),
		"entry header length":     change(HeaderSize+4, 1),
		"entry length":            change(HeaderSize+15, 0xff),
		"compressed length":       change(HeaderSize+19, 0xff),
		"decompressed length":     change(HeaderSize+63, 0xff),
		"compressed data":         change(HeaderSize+80, 0),
		"LZ4 flag on a zstd data": change(HeaderSize+41, 0x20),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := PTX(image, 80)
			var damaged *Error
			if !errors.As(err, &damaged) {
				t.Errorf("got %.40q, %v", got, err)
			}
		})
	}
}

func FuzzPTX(f *testing.F) {
	f.Add([]byte("P\xedU\xba\x01\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, image []byte) {
		_, _ = PTX(image, 80) // an error, but no panic
	})
}

// TestNoImage: PTX that is all for newer architectures is refused, as the driver does, unless there is machine
// code for the device. Machine code runs on devices of its major version that are not older.
func TestNoImage(t *testing.T) {
	image := binaryOf(entry(t, KindPTX, 100, 0, "10"), entry(t, KindPTX, 90, 0, "9"), entry(t, KindELF, 86, 0, "\x7fELF"), entry(t, KindELF, 75, 0, "\x7fELF"))
	_, err := PTX(image, 80)
	const want = "no kernel image for sm_80: the device code is for sm_90, sm_100; use --arch sm_90, or build it for sm_80"
	var newer *NoImageError
	if !errors.As(err, &newer) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, sm := range []int{75, 86, 89} {
		if got, err := PTX(image, sm); string(got) != "9" || err != nil {
			t.Errorf("sm_%d: got %q, %v", sm, got, err)
		}
	}
}
