package trial

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/numdiff"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Expected is what the memory after a recorded launch is compared with.
type Expected struct {
	// With is RecordedOutputs, or a file or a directory as Config.DumpBuffers writes them; "" for nothing.
	With string
	// Tolerance decides what is equal.
	Tolerance numdiff.Options
}

// RecordedOutputs is the value of Expected.With for what the recorded launch has written.
const RecordedOutputs = "recorded"

// expectation compares the memory after a replay. It is a device.Observer for the types of
// the buffers.
type expectation struct {
	s     *session.Session
	c     *capsule.Capsule
	want  Expected
	types buffers.Types
	// differs counts the buffers that differ.
	differs int
}

// Before implements device.Observer.
func (e *expectation) Before(l *device.Launch) { e.types.Learn(l.Arena, l.Params) }

// After implements device.Observer.
func (e *expectation) After(*device.Launch) {}

// end compares the memory when all is over, child grids included, and reports what was accessed that the
// capsule does not have.
func (e *expectation) end(arena *mem.Arena) {
	lost := e.c.Lost(arena)
	for _, x := range lost {
		e.s.Inexact = true
		e.s.Say("not exact: the launch accessed %d bytes from byte %d of %s on that it did not when it was recorded, and that the capsule does not have; "+
			"record with --record-memory all", x.Bytes, x.At, buffers.Describe(arena.Find(x.Addr)))
	}
	if err := e.compare(arena); err != nil {
		e.s.Bad = errors.Join(e.s.Bad, err)
	}
}

func (e *expectation) compare(arena *mem.Arena) error {
	switch e.want.With {
	case "":
		return nil
	case RecordedOutputs:
		if !e.c.Outputs {
			return errors.New("--expect: the capsule does not have what the launch wrote")
		}
		return e.recorded(arena)
	}
	for _, a := range e.c.Memory.Allocations {
		if len(a.Left) > 0 {
			return errors.New("--expect: the capsule does not have contents of memory that the launch does not access; record with --record-memory all, or compare with what was recorded")
		}
	}
	return e.files(arena)
}

// recorded compares with what the recorded launch wrote.
func (e *expectation) recorded(arena *mem.Arena) error {
	for _, b := range e.types.Live(arena) {
		d := outputDiff{typ: b.Type, o: e.want.Tolerance}
		err := e.c.EachOutput(b.ID, arena, func(at uint64, want, got []byte) { d.add(at, want, got) })
		if err != nil {
			return err
		}
		if d.count > 0 {
			e.differs++
			name := buffers.Name(b.Allocation)
			e.s.Say("output differs: %s[%d] is %s, not %s as recorded; %d elements differ", name, d.index, d.got, d.want, d.count)
		}
	}
	e.conclude()
	return nil
}

func (e *expectation) conclude() {
	if e.differs == 0 {
		e.s.Say("outputs are as expected")
	} else {
		e.s.Unexpected = true
	}
}

// outputDiff counts the elements of a buffer that differ, and keeps the first.
type outputDiff struct {
	typ       buffers.Type
	o         numdiff.Options
	count     int
	index     uint64
	want, got string
}

// add compares contents at an offset, which is a multiple of the size of an element.
func (d *outputDiff) add(at uint64, want, got []byte) {
	n := d.typ.Elems(len(want))
	if bytes.Equal(want, got) || n == 0 {
		return
	}
	size := uint64(len(d.typ.Elem(want, 0)))
	for i := range n {
		a, b := d.typ.Elem(want, i), d.typ.Elem(got, i)
		if bytes.Equal(a, b) {
			continue
		}
		x, y := d.typ.Format(a), d.typ.Format(b)
		if d.o.Equal(numdiff.Parse(x), numdiff.Parse(y)) {
			continue
		}
		if d.count++; d.count == 1 {
			d.index, d.want, d.got = at/size+uint64(i), x, y
		}
	}
}

// files compares with files of numbers, as warpgrind diff does.
func (e *expectation) files(arena *mem.Arena) error {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return err
	}
	defer remove()
	if err := e.types.Dump(dir, arena, e.c.Launch.ID, finding.Demangle(e.c.Launch.Kernel)); err != nil {
		return err
	}
	want := e.want.With
	st, err := os.Stat(want)
	if err != nil {
		return fmt.Errorf("--expect: %w", err)
	}
	var text bytes.Buffer
	sum, err := numdiff.Paths(&text, want, dir, e.want.Tolerance, maxShown)
	if err != nil {
		return fmt.Errorf("--expect: %w", err)
	}
	if e.differs = sum.Differ; !st.IsDir() {
		e.differs += sum.Missing
	}
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		if line != "" && e.differs > 0 {
			e.s.Say("output differs: %s", line)
		}
	}
	e.conclude()
	return nil
}

// maxShown bounds the elements that are shown of each file.
const maxShown = 5
