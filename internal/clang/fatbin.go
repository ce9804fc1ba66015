package clang

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
)

// The device code that a host object carries is wrapped like this, all
// numbers little-endian:
//
//	offset  0  8 bytes  "WARPGRND"
//	        8  u32      version, 2 (1 if no PTX may be compressed)
//	       12  u32      0
//	       16  u64      length of the metadata in bytes, M
//	       24  u64      length of the PTX in bytes, P
//	       32  M bytes  metadata, JSON, see Meta
//	     32+M  P bytes  PTX text, or a zstd frame of it (fatbin.Pack)
//
// The CUDA runtime is given only a pointer to it, so it carries its lengths.

// FatbinMagic begins a wrapped module.
const FatbinMagic = "WARPGRND"

// FatbinVersion is the version of the wrapper's layout.
const FatbinVersion = 2

// FatbinHeaderSize is the number of bytes before the metadata.
const FatbinHeaderSize = 32

// maxFatbin bounds each of the two lengths, in bytes.
const maxFatbin = 1 << 31

// Meta describes a wrapped module.
type Meta struct {
	// Source is the path of the source file as given.
	Source string `json:"source"`
	// Build is the text of Mode: "source" or "optimized".
	Build string `json:"build"`
	// Clang is the compiler's version line.
	Clang string `json:"clang"`
	// Module is the module's name, for messages.
	Module string `json:"module"`
	// RDC is set if the module is to be linked with the program's others of
	// its kind.
	RDC bool `json:"rdc,omitempty"`
	// Targets lists the parts of the PTX, one per architecture. It is nil for PTX
	// that was not compiled here.
	Targets []Target `json:"targets,omitempty"`
}

// first returns the first target's part of the PTX.
func (m *Meta) first(ptx []byte) []byte {
	if len(m.Targets) == 0 || m.Targets[0].Bytes > len(ptx) {
		return ptx
	}
	return ptx[:m.Targets[0].Bytes]
}

// EncodeFatbin wraps a module.
func EncodeFatbin(meta Meta, ptx []byte) ([]byte, error) {
	js, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	if ptx, err = fatbin.Pack(ptx); err != nil {
		return nil, err
	}
	b := make([]byte, 0, FatbinHeaderSize+len(js)+len(ptx))
	b = append(b, FatbinMagic...)
	b = binary.LittleEndian.AppendUint32(b, FatbinVersion)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(js)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(ptx)))
	b = append(b, js...)
	return append(b, ptx...), nil
}

// FatbinSize returns the bytes that a wrapped module occupies in all, given
// at least its header. It is for readers of another process's memory.
func FatbinSize(header []byte) (int64, error) {
	if len(header) < FatbinHeaderSize || string(header[:8]) != FatbinMagic {
		return 0, fmt.Errorf("no warpgrind module: the device code was not compiled by warpgrind")
	}
	if v := binary.LittleEndian.Uint32(header[8:]); v == 0 || v > FatbinVersion {
		return 0, fmt.Errorf("module of version %d, want at most %d: rebuild the program", v, FatbinVersion)
	}
	m := binary.LittleEndian.Uint64(header[16:])
	p := binary.LittleEndian.Uint64(header[24:])
	if m > maxFatbin || p > maxFatbin {
		return 0, fmt.Errorf("damaged module: lengths %d and %d", m, p)
	}
	return int64(FatbinHeaderSize + m + p), nil
}

// DecodeFatbin unwraps a module. Bytes after its end are ignored.
func DecodeFatbin(b []byte) (Meta, []byte, error) {
	meta, payload, err := FatbinParts(b)
	if err != nil {
		return Meta{}, nil, err
	}
	text, err := fatbin.Unpack(payload)
	if err != nil {
		return Meta{}, nil, fmt.Errorf("damaged module: %w", err)
	}
	return meta, text, nil
}

// FatbinParts returns a module's metadata and its PTX as it is there, part of b.
func FatbinParts(b []byte) (Meta, []byte, error) {
	size, err := FatbinSize(b)
	if err != nil {
		return Meta{}, nil, err
	}
	if size > int64(len(b)) {
		return Meta{}, nil, fmt.Errorf("damaged module: %d bytes of %d", len(b), size)
	}
	m := FatbinHeaderSize + binary.LittleEndian.Uint64(b[16:])
	var meta Meta
	if err := json.NewDecoder(bytes.NewReader(b[FatbinHeaderSize:m])).Decode(&meta); err != nil {
		return Meta{}, nil, fmt.Errorf("damaged module: %w", err)
	}
	return meta, b[m:size], nil
}
