package host

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
)

// fatBinary encodes one image, not compressed, as package fatbin has it.
func fatBinary(kind int, text string) []byte {
	entry := make([]byte, 64)
	binary.LittleEndian.PutUint16(entry, uint16(kind))
	binary.LittleEndian.PutUint32(entry[4:], 64)
	binary.LittleEndian.PutUint64(entry[8:], uint64(len(text)))
	binary.LittleEndian.PutUint32(entry[28:], 80)
	b := binary.LittleEndian.AppendUint32(nil, fatbin.Magic)
	b = append(b, 1, 0, fatbin.HeaderSize, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(entry)+len(text)))
	return append(append(b, entry...), text...)
}

func TestUnpack(t *testing.T) {
	const head = ".version 8.0\n.target sm_80\n.address_size 64\n"
	code := fatBinary(fatbin.KindELF, "\x7fELF")
	caller := fatBinary(fatbin.KindPTX, head+".extern .global .u32 x;\n.visible .entry k()\n{\n.reg .b32 %r;\nld.global.u32 %r, [x];\nret;\n}\n")
	definer := fatBinary(fatbin.KindPTX, head+".visible .global .u32 x = 7;\n")
	a, err := arch.Parse("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	p := &process{s: &Server{cfg: Config{Arch: a}}}

	text, err := p.unpack([][]byte{caller})
	if err != nil || !strings.Contains(string(text), ".extern .global .u32 x") {
		t.Errorf("one: %q, %v", text, err)
	}
	text, err = p.unpack([][]byte{code, caller, definer})
	if err != nil || strings.Contains(string(text), ".extern") || !strings.Contains(string(text), "x = 7") {
		t.Errorf("linked: %q, %v", text, err)
	}
	var none *fatbin.NoPTXError
	for _, images := range [][][]byte{{code}, {code, caller, code}} {
		if _, err := p.unpack(images); !errors.As(err, &none) {
			t.Errorf("%d images: got %v", len(images), err)
		}
	}
}
