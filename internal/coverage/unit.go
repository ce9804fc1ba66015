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
	"strings"
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

// The names of the directives, without "warpgrind.": of a Unit, of a Marker, and of the Marker of a condition.
const (
	UnitName   = "coverage"
	MarkName   = "count"
	DecideName = "decide"
)

// Each begins the text of a directive.
const (
	unitDirective = `.pragma "warpgrind.` + UnitName + ` `
	markDirective = `.pragma "warpgrind.` + MarkName + ` `
	// DecideDirective is before the instruction that copies the condition.
	DecideDirective = `.pragma "warpgrind.` + DecideName + ` `
)

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

// UnitIn returns the unit of a directive; ok is false for another directive.
func UnitIn(directive string) (u *Unit, ok bool, err error) {
	word, ok := strings.CutPrefix(directive, unitDirective)
	if !ok {
		return nil, false, nil
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(word, `"`))
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

// Marker is a place in the PTX where a counter of clang's would be increased: by each execution of the basic block that it is in
// (MarkerIn), or of the condition that it stands for where that holds (ConditionIn).
type Marker struct {
	Function string // its ID
	Counter  int
}

// String is the marker as the words of a directive.
func (m Marker) String() string { return fmt.Sprintf("%s %d", m.Function, m.Counter) }

// MarkerIn returns the marker of a directive; ok is false for another directive.
func MarkerIn(directive string) (m Marker, ok bool) { return markerIn(directive, markDirective) }

// ConditionIn returns the marker of a condition; ok is false for another directive.
func ConditionIn(directive string) (m Marker, ok bool) { return markerIn(directive, DecideDirective) }

func markerIn(directive, begin string) (m Marker, ok bool) {
	text, ok := strings.CutPrefix(directive, begin)
	if !ok {
		return m, false
	}
	w := strings.Fields(strings.TrimSuffix(text, `"`))
	if len(w) != 2 {
		return m, false
	}
	n, err := strconv.Atoi(w[1])
	return Marker{w[0], n}, err == nil && n >= 0
}
