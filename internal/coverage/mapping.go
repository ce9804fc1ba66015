package coverage

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// The encoding of mappings (LLVM, "LLVM Code Coverage Mapping Format", and CoverageMappingReader.cpp): numbers are LEB128
// without sign; a counter is a number whose two lowest bits tell what the rest is.

// kind of a region.
type kind uint8

// Kinds, by LLVM's numbers.
const (
	codeRegion kind = iota
	expansionRegion
	skippedRegion
	gapRegion
	branchRegion
)

// Versions of the encoding that are read.
const (
	oldestVersion = 4 // from LLVM 12
	newestVersion = 6 // from LLVM 18
	// directoryVersion is the first with the compilation's directory as its first file name.
	directoryVersion = 5
)

var errMapping = errors.New("malformed")

// counter is a counter, a sum or a difference of counters, or zero.
type counter uint64

const (
	zeroCounter  = 0
	plainCounter = 1
	difference   = 2
	sum          = 3
)

func (c counter) tag() int   { return int(c & 3) }
func (c counter) index() int { return int(c >> 2) }

// region is a part of a file.
type region struct {
	kind                       kind
	file                       int // in mapping.files
	line, col, endLine, endCol int
	// count is that of a region, and of a branch's condition that holds; not of one that does not.
	count, not counter
	// expanded is the file that an expansion stands for.
	expanded int
}

// mapping is a function's.
type mapping struct {
	files       []string // by number in the function; a macro's expansion has a number of its own
	expressions [][2]counter
	regions     []region
}

// decoder reads numbers. After an error it reads zeros.
type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return n
}

// small reads a number that is at most limit.
func (d *decoder) small(limit int) int {
	n := d.number()
	if n > uint64(limit) {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.data) {
		d.bad, n = true, 0
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

// maxNames bounds the bytes of the file names of a unit, maxLine lines and columns.
const (
	maxNames = 16 << 20
	maxLine  = 1<<31 - 1
)

// fileNames decodes the names of a unit's files, as absolute ones.
func (u *Unit) fileNames() ([]string, error) {
	if u.Version < oldestVersion || u.Version > newestVersion {
		return nil, fmt.Errorf("version %d of the coverage mapping is not known", u.Version+1)
	}
	d := &decoder{data: u.Filenames}
	count, size, packed := d.small(maxNames), d.small(maxNames), d.small(maxNames)
	if packed > 0 {
		r, err := zlib.NewReader(bytes.NewReader(d.bytes(packed)))
		if err != nil {
			return nil, err
		}
		if d.data, err = io.ReadAll(io.LimitReader(r, int64(size))); err != nil {
			return nil, err
		}
	}
	var names []string
	for range count {
		if d.bad {
			return nil, errMapping
		}
		name := string(d.bytes(d.small(maxNames)))
		if u.Version >= directoryVersion && len(names) > 0 && !filepath.IsAbs(name) {
			name = filepath.Join(names[0], name)
		}
		names = append(names, filepath.Clean(name))
	}
	return names, nil
}

// decode reads a function's regions; names are those of its unit's files.
func (f *Function) decode(names []string) (*mapping, error) {
	d, m := &decoder{data: f.Mapping}, &mapping{}
	for range d.small(len(d.data)) {
		n := d.small(len(names))
		if n == len(names) {
			return nil, errMapping
		}
		m.files = append(m.files, names[n])
	}
	for range d.small(len(d.data)) {
		m.expressions = append(m.expressions, [2]counter{counter(d.number()), counter(d.number())})
	}
	for file := range m.files {
		line := 0
		for range d.small(len(d.data)) {
			r := m.region(d, file)
			line += d.small(maxLine)
			r.place(line, d.small(maxLine), d.small(maxLine), d.number())
			m.regions = append(m.regions, r)
		}
	}
	if d.bad || !m.valid() {
		return nil, errMapping
	}
	return m, nil
}

// region reads what a region is, before its place.
func (m *mapping) region(d *decoder, file int) region {
	r := region{file: file}
	c := counter(d.number())
	switch {
	case c.tag() != zeroCounter:
		r.count = c
	case c&4 != 0:
		r.kind, r.expanded = expansionRegion, int(c>>3)
		d.bad = d.bad || r.expanded >= len(m.files)
	default:
		r.kind = kind(c >> 3)
		r.operands(d)
	}
	return r
}

// operands reads what follows the kind of a region that has no count of its own.
func (r *region) operands(d *decoder) {
	switch r.kind {
	case codeRegion, skippedRegion:
	case branchRegion:
		r.count, r.not = counter(d.number()), counter(d.number())
	default:
		d.bad = true
	}
}

// gapBit marks the end column of a gap: what is between statements, whose count is not the line's.
const gapBit = 1 << 31

func (r *region) place(line, col, lines int, endCol uint64) {
	if endCol&gapBit != 0 {
		r.kind, endCol = gapRegion, endCol&^gapBit
	}
	r.line, r.col, r.endLine, r.endCol = line, col, line+lines, int(min(endCol, maxLine))
	if r.col == 0 && r.endCol == 0 { // whole lines
		r.col, r.endCol = 1, maxLine
	}
}

// valid reports whether all counters exist.
func (m *mapping) valid() bool {
	ok := func(c counter) bool { return c.tag() < difference || c.index() < len(m.expressions) }
	for i, e := range m.expressions {
		for _, c := range e {
			if !ok(c) || c.tag() >= difference && c.index() == i {
				return false
			}
		}
	}
	for _, r := range m.regions {
		if !ok(r.count) || !ok(r.not) {
			return false
		}
	}
	return true
}

// evaluator computes counters.
type evaluator struct {
	m    *mapping
	of   func(counter int) uint64
	memo map[int]int64
	busy map[int]bool
}

// value of a counter. Where a launch ended before its threads did, a difference may be less than zero: it is zero then.
func (e *evaluator) value(c counter) uint64 { return uint64(max(0, e.signed(c))) }

func (e *evaluator) signed(c counter) int64 {
	switch c.tag() {
	case zeroCounter:
		return 0
	case plainCounter:
		return int64(e.of(c.index()))
	}
	key := int(c)
	if v, ok := e.memo[key]; ok || e.busy[key] {
		return v
	}
	e.busy[key] = true
	x := e.m.expressions[c.index()]
	v := e.signed(x[0])
	if c.tag() == sum {
		v += e.signed(x[1])
	} else {
		v -= e.signed(x[1])
	}
	e.busy[key] = false
	e.memo[key] = v
	return v
}
