package sync

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hangChecker reports kernels that do not terminate: what they wait for comes neither from
// the host nor from other work, which continue while a kernel waits.
type hangChecker struct{ check.Faults }

// HangDetails is the hang rule's part of a finding in JSON.
type HangDetails struct {
	Waits []WaitDetails `json:"waits_for"`
}

// WaitDetails is a word that decides whether the threads leave their loop.
type WaitDetails struct {
	Element     string          `json:"element,omitempty"`
	Object      *finding.Object `json:"object,omitempty"`
	Address     uint64          `json:"address"`
	Size        int             `json:"size"`
	Value       uint64          `json:"value"`
	HostVisible bool            `json:"host_visible,omitempty"`
	Writer      *WriterDetails  `json:"last_writer,omitempty"`
}

// WriterDetails is the last write to the word by an atomic operation or a strong store.
type WriterDetails struct {
	Thread *finding.Thread `json:"thread"`
	// Holds is set if the thread took the word as a lock, which the others wait for.
	Holds bool `json:"holds,omitempty"`
	Ended bool `json:"ended,omitempty"`
}

// writer describes who wrote an awaited word last: one that swaps a word for which others
// wait by a swap holds a lock.
func writer(l *trace.Launch, w *trace.Wait) *WriterDetails {
	by := w.Writer
	if by == nil {
		return nil
	}
	return &WriterDetails{
		Thread: check.Thread(l, by.Block, by.Warp, by.Lane),
		Holds:  by.Site.Op.IsSwap() && w.Site.Op.IsSwap(),
		Ended:  by.Ended,
	}
}

// place is where the write was.
func (d *WriterDetails) place(by *trace.Writer) finding.Place {
	role := "last written by"
	if d.Holds {
		role = "lock taken by"
	}
	return check.Place(by.Site, role, d.Thread)
}

// Merged implements finding.Merger: the witness's details are kept.
func (d HangDetails) Merged(any) any { return d }

// awaits adds what the threads wait for.
func (c *hangChecker) awaits(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
	var d HangDetails
	for i := range e.Waits {
		w := &e.Waits[i]
		x := describeWait(l, w)
		d.Waits = append(d.Waits, x)
		f.Notes = append(f.Notes, x.note())
		if x.Writer != nil {
			f.Related = append(f.Related, x.Writer.place(w.Writer))
		}
	}
	if len(d.Waits) == 0 {
		return
	}
	f.Details = d
	if f.Object == nil {
		f.Object = d.Waits[0].Object
	}
}

// note says what is waited for.
func (d *WaitDetails) note() string {
	s := fmt.Sprintf("the threads wait for %s, which holds %d", d.Element, d.Value)
	if d.Writer == nil {
		return s
	}
	s += fmt.Sprintf("; last written by %v", d.Writer.Thread)
	if d.Writer.Ended {
		s += ", which has ended"
	}
	return s
}

func describeWait(l *trace.Launch, w *trace.Wait) WaitDetails {
	d := WaitDetails{Address: w.Addr, Size: w.Size, Value: w.Value, HostVisible: w.HostVisible, Writer: writer(l, w)}
	if w.Object == nil {
		d.Object, _ = check.SharedObject(l, w.Addr, w.Size)
		d.Element = fmt.Sprintf("shared memory at offset %d", w.Addr)
		if check.SharedVariable(l, w.Addr) >= 0 {
			d.Element = check.SharedElement(l, w.Addr, w.Size, w.Size)
		}
		return d
	}
	d.Object, d.Element = check.ObjectOf(w.Space, w.Object), element(w.Object, w.Addr, w.Size)
	return d
}

// element names a word in an allocation or a variable.
func element(m *trace.Memory, addr uint64, size int) string {
	off := addr - m.Base
	switch {
	case m.Name != "":
		return check.GlobalElement(m, int64(off), size, size)
	case off%uint64(size) == 0:
		return fmt.Sprintf("element %d of the memory of %s", off/uint64(size), m.Where)
	}
	return fmt.Sprintf("byte %d of the memory of %s", off, m.Where)
}
