package fatbin

import (
	"bytes"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// packed is from how many bytes on PTX is compressed: that of templates is megabytes a source file, which
// compress to a tenth or less.
const packed = 64 << 10

// frame begins a zstd frame (RFC 8878, "Zstandard Frames"), and no PTX.
var frame = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Pack returns PTX as programs carry it that warpgrind has compiled: as a zstd frame if it is long.
func Pack(text []byte) ([]byte, error) {
	if len(text) < packed || len(text) > maxText {
		return text, nil
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(text, nil), nil
}

// Unpack returns the text of what Pack returned.
func Unpack(payload []byte) ([]byte, error) {
	if !bytes.HasPrefix(payload, frame) {
		return payload, nil
	}
	text, err := decode(payload, nil)
	if err != nil {
		return nil, fmt.Errorf("compressed PTX: %w", err)
	}
	return text, nil
}
