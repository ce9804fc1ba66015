package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"time"
)

// errDamaged is the error for a file that differs from what was written.
var errDamaged = errors.New("damaged cache entry")

// summed puts a checksum before data.
func summed(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(sum[:], data...)
}

// readSummed reads what summed made.
func readSummed(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < sha256.Size {
		return nil, errDamaged
	}
	data := b[sha256.Size:]
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], b[:sha256.Size]) {
		return nil, errDamaged
	}
	return data, nil
}

// encode lays out a result: for each piece the lengths of name and data, as
// little-endian u64, then both.
func encode(r Result) []byte {
	names := make([]string, 0, len(r))
	for name := range r {
		names = append(names, name)
	}
	slices.Sort(names)
	var b []byte
	for _, name := range names {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(name)))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(r[name])))
		b = append(b, name...)
		b = append(b, r[name]...)
	}
	return summed(b)
}

func readResult(path string) (Result, error) {
	b, err := readSummed(path)
	if err != nil {
		return nil, err
	}
	r := Result{}
	for len(b) > 0 {
		if len(b) < 16 {
			return nil, errDamaged
		}
		n, m := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		b = b[16:]
		if n > uint64(len(b)) || m > uint64(len(b))-n {
			return nil, errDamaged
		}
		r[string(b[:n])] = b[n : n+m : n+m]
		b = b[n+m:]
	}
	return r, nil
}

// touchEvery keeps hits from writing to the disk all the time.
const touchEvery = time.Minute

// touch marks a file as used.
func touch(path string) {
	st, err := os.Stat(path)
	if now := time.Now(); err == nil && now.Sub(st.ModTime()) > touchEvery {
		os.Chtimes(path, now, now)
	}
}
