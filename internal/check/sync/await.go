package sync

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hangChecker reports kernels that do not end. A launch runs to its end within the call,
// so a kernel that waits for what the host does afterwards hangs here although it need
// not on a GPU: such a finding is a warning, since the wait was not checked.
type hangChecker struct {
	check.Faults
	// streams are those that the program made, and whether they wait for the legacy
	// default stream; at is the stream of the launch that runs.
	streams map[trace.Stream]bool
	at      trace.Stream
}

// The causes of a hang that may end on a GPU.
const (
	// WaitsForHost: the threads read memory that host code can write.
	WaitsForHost finding.Cause = "waits-for-host"
	// WaitsForStream: work of another stream may write what the threads read.
	WaitsForStream finding.Cause = "waits-for-stream"
)

// Observer observes what streams there are, beside faults.
func (c *hangChecker) Observer() *trace.Observer {
	o := c.Faults.Observer()
	c.streams = map[trace.Stream]bool{}
	o.StreamOrder = func(e *trace.StreamOrder) {
		if e.Action == trace.NewStream {
			c.streams[e.Stream] = !e.NonBlocking
		}
	}
	o.Enqueued = func(e *trace.Enqueued) {
		if !e.Nested {
			c.at = e.Stream
		}
	}
	return o
}

// beside reports whether work of another stream could run while the launch does: the
// legacy default stream and those that wait for it exclude each other.
func (c *hangChecker) beside() bool {
	if c.at.ID != 0 && !c.streams[c.at] {
		return true // of the default stream, for one
	}
	for s, waits := range c.streams {
		if s != c.at && s.Device == c.at.Device && (c.at.ID != 0 || !waits) {
			return true
		}
	}
	return false
}

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
	// Holds says that the thread took the word as a lock, which the others wait for.
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

// awaits adds what the threads wait for, and judges whether the host may release them.
func (c *hangChecker) awaits(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
	var d HangDetails
	host, stream := false, false
	for i := range e.Waits {
		w := &e.Waits[i]
		x := describeWait(l, w)
		d.Waits = append(d.Waits, x)
		f.Notes = append(f.Notes, x.note())
		if x.Writer != nil {
			f.Related = append(f.Related, x.Writer.place(w.Writer))
		}
		host = host || w.HostVisible
		stream = stream || w.Object != nil && !w.HostVisible && !w.Site.Op.IsSwap() && c.beside()
	}
	if len(d.Waits) == 0 {
		return
	}
	f.Details = d
	if f.Object == nil {
		f.Object = d.Waits[0].Object
	}
	switch {
	case e.Cause != trace.CauseNoProgress:
	case host:
		f.Cause, f.Level = WaitsForHost, finding.Warning
		f.Notes = append(f.Notes, "host code can write it while the kernel runs on a GPU; here the host goes on only after the kernel has ended, so this wait was not checked")
		f.Help = "if host code sets the value after the launch, the kernel is not at fault: set it before the launch to check the rest"
	case stream:
		f.Cause, f.Level = WaitsForStream, finding.Warning
		f.Notes = append(f.Notes, "a copy, a fill or a kernel of another stream may write it while the kernel runs on a GPU; here that comes after the kernel has ended, so this wait was not checked")
		f.Help = "if another stream sets the value after the launch, the kernel is not at fault: set it before the launch to check the rest"
	}
}

// note says what is waited for.
func (d *WaitDetails) note() string {
	s := fmt.Sprintf("it waits for %s, which holds %d", d.Element, d.Value)
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
	d.Object = check.ObjectOf(w.Space, w.Object)
	off := w.Addr - w.Object.Base
	switch {
	case w.Object.Name != "":
		d.Element = check.GlobalElement(w.Object, int64(off), w.Size, w.Size)
	case off%uint64(w.Size) == 0:
		d.Element = fmt.Sprintf("element %d of the memory of %s", off/uint64(w.Size), w.Object.Where)
	default:
		d.Element = fmt.Sprintf("byte %d of the memory of %s", off, w.Object.Where)
	}
	return d
}
