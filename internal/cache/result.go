package cache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"slices"
	"time"
)

// errDamaged is the error for a file that differs from what was written.
var errDamaged = errors.New("damaged cache entry")

// sums has the polynomial that processors have an instruction for: some entries have megabytes, and
// are read at each run. A checksum tells what a crash or a disk has damaged.
var sums = crc32.MakeTable(crc32.Castagnoli)

// summed puts a checksum before data.
func summed(data []byte) []byte {
	b := make([]byte, crc32.Size, crc32.Size+len(data))
	binary.LittleEndian.PutUint32(b, crc32.Checksum(data, sums))
	return append(b, data...)
}

// readSummed reads what summed made.
func readSummed(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < crc32.Size {
		return nil, errDamaged
	}
	data := b[crc32.Size:]
	if crc32.Checksum(data, sums) != binary.LittleEndian.Uint32(b) {
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
