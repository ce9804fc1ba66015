package coverage

import (
	"bytes"
	"compress/flate"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/pragma"
)

// Unit is what clang says of the device code of one source, in LLVM's encoding.
type Unit struct {
	// Version is that of the encoding, as in the module: 0 is LLVM's "version 1".
	Version int `json:"version"`
	// Filenames are the encoded names of the source's files.
	Filenames []byte     `json:"filenames"`
	Functions []Function `json:"functions"`
}

// Function is a function of a unit, an instance of a template by itself.
type Function struct {
	// Name is the symbol. That of a function that other units do not see has the file before it.
	Name string `json:"name"`
	// Hash is that of the function's structure, 0 where no code was made of it.
	Hash uint64 `json:"hash"`
	// Mapping are its encoded regions.
	Mapping []byte `json:"mapping"`
}

// NameHash is how clang refers to a name.
func NameHash(name string) uint64 {
	sum := md5.Sum([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])
}

// ID names a function in markers: by its name and its structure, which differs where a header is compiled with other macros.
func (f Function) ID() string {
	return strconv.FormatUint(NameHash(fmt.Sprintf("%s %x", f.Name, f.Hash)), 16)
}

// Encode writes the unit as a word.
func (u *Unit) Encode() string {
	text, err := json.Marshal(u)
	if err != nil {
		panic(err) // it has no field that could fail
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.DefaultCompression)
	w.Write(text)
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// maxUnit bounds the bytes of a decoded unit.
const maxUnit = 256 << 20

// ReadUnit returns the unit that a directive has in its text; ok is false for another directive.
func ReadUnit(directive string) (u *Unit, ok bool, err error) {
	d, ok := pragma.ReadCoverage(directive)
	if !ok {
		return nil, false, nil
	}
	data, err := base64.StdEncoding.DecodeString(d.Unit)
	if err != nil {
		return nil, true, fmt.Errorf("coverage mapping: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxUnit))
	if err == nil {
		err = json.Unmarshal(text, &u)
	}
	if err != nil {
		return nil, true, fmt.Errorf("coverage mapping: %w", err)
	}
	return u, true, nil
}
