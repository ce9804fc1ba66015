package judge

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/kernels"
)

// Who has computed the outputs of a candidate with host code: its kernels, or the host?
//
// Two more runs follow the values that the host gives the device, the second with the inputs in the reverse order. Two
// facts decide:
//
//   - Where each byte of an output comes from. What copies and kernels have only moved from the host's memory is the
//     host's work.
//   - What the host gave the device for two different inputs. Where all of it is equal, the host has told nothing about
//     the inputs, so that kernels have computed whatever depends on them. Where it differs, the host may have computed as
//     much of an output as it has told: that has to be little beside what the output says.
//
// A value that the host has only read of a kernel's and hands on is not its own.
//
// What the host gives the device in the other runs has to be the same: a program may find out which run it is in, as by the order in
// which blocks run, and compute on the device only where it is followed.

// hostPart is what the host's part in one call of each of two runs amounts to.
type hostPart struct {
	// sent are bytes of memory and steps words of launches, copies and fills, in bytes, that differ between the two.
	sent, steps int
	// fills is the part of steps that fills have.
	fills int
}

func (p hostPart) all() int { return p.sent + p.steps }

// hostShare bounds the part of an output that the host may give: one byte in hostShare.
const hostShare = 16

// follow looks for outputs that the host has computed.
func (t *trial) follow(ctx context.Context) error {
	first := make([]int, t.plan.calls)
	for c := range first {
		first[c] = c
	}
	a, err := t.followed(ctx, t.plan, first)
	if a == nil || err != nil {
		return err
	}
	if t.origins(a) || t.unlike(a, first) {
		return nil
	}
	other := *t.plan
	second := slices.Clone(first)
	if slices.Reverse(second); t.plan.calls == 1 && !other.probe() {
		t.oneInput(a, "no input can be varied")
		return nil
	}
	b, err := t.followed(ctx, &other, second)
	switch {
	case err != nil || b == nil && t.plan.calls > 1:
		return err
	case b == nil || t.plan.calls == 1 && !isUsable(b):
		t.v.Reasons = nil // the candidate need not be right for inputs that no job has
		t.oneInput(a, "the candidate fails for others")
		return nil
	}
	if t.plan.calls > 1 && t.unlike(b, second) {
		return nil
	}
	var noise map[unitAt]bool
	compare := func(unordered bool) {
		for k := range first {
			if t.plan.calls == 1 || first[k] != second[k] {
				t.comparePart(a, b, k, unordered, noise)
			}
		}
	}
	if compare(false); len(t.v.Reasons) == 0 {
		return nil
	}
	// Threads of the host may take turns in another way each time. What they ask for is the same then. And the host may write while a launch
	// is about to begin.
	again, err := t.followed(ctx, t.plan, first)
	if again == nil || err != nil {
		return err
	}
	unordered := differ(a, again, false) && !differ(a, again, true)
	if noise = noiseOf(a, again); unordered || len(noise) > 0 {
		t.v.Reasons = t.v.Reasons[:0]
		compare(unordered)
	}
	return nil
}

// unlike looks for a run whose calls came in the same order, and in which the host gave the device something else than in the one that
// followed it. It reports whether there is one.
func (t *trial) unlike(a *ran, calls []int) bool {
	if t.unnoted != "" {
		t.suspect(NotFollowed, "what the host gives the device cannot be followed: %s", t.unnoted)
		return true
	}
	for _, r := range t.runs {
		if !slices.Equal(r.calls, calls) {
			continue
		}
		for k := range r.Calls {
			x, y := r.Calls[k].Flow, a.Calls[k].Flow
			if x == nil || x.TooMuch {
				t.suspect(NotFollowed, "what the host gives the device cannot be followed: it is too much")
				return true
			}
			p := hostPart{sent: sentPart(x, y, nil)}
			p.stepsPart(sorted(x.Steps), sorted(y.Steps), nil)
			if room := t.room(r.Calls[k].Contents); p.all() > room {
				t.suspect(HostData, "what the host gives the device differs between runs with equal inputs by %d bytes: the host may have computed an output in those that do not follow it", p.all())
				return true
			}
		}
	}
	return false
}

// differ reports whether the steps of two runs with equal inputs differ, whatever their order is if unordered is set.
func differ(a, b *ran, unordered bool) bool {
	for k := range a.Calls {
		x, y := a.Calls[k].Flow.Steps, b.Calls[k].Flow.Steps
		if unordered {
			x, y = sorted(x), sorted(y)
		}
		var p hostPart
		if p.stepsPart(x, y, nil); p.steps > 0 {
			return true
		}
	}
	return false
}

// isUsable reports whether a run with made-up inputs did what it would do with others.
func isUsable(r *ran) bool {
	return !slices.ContainsFunc(r.Calls, func(c kernels.CallResult) bool { return c.Stopped }) && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == "error" })
}

// followed runs calls and follows what the host gives the device. It returns nil, with a reason in the verdict, where
// that cannot be done.
func (t *trial) followed(ctx context.Context, p *plan, calls []int) (*ran, error) {
	q := *p
	q.follow = true
	r, _, err := t.run(ctx, &q, t.code, "memory", schedule{name: "default"}, calls, p.launches)
	var f *failure
	switch {
	case errors.As(err, &f) && f.reason != JudgeFailed:
		t.suspect(NotFollowed, "what the host gives the device cannot be followed: %s", f.message)
		return nil, nil
	case err != nil:
		return nil, err
	case r.Refusal != "":
		t.suspect(NotFollowed, "what the host gives the device cannot be followed: %s", r.Message)
		return nil, nil
	}
	for _, c := range r.Calls {
		if c.Flow == nil || len(c.Flow.Origins) != len(c.Contents) {
			return nil, fail(JudgeFailed, "the engine's reply is not one to the request")
		}
		if c.Flow.TooMuch {
			t.suspect(NotFollowed, "what the host gives the device cannot be followed: it is too much")
			return nil, nil
		}
	}
	return r, nil
}

func (t *trial) suspect(cause Cause, format string, args ...any) {
	t.v.becauseOf(Suspect, cause, fmt.Sprintf(format, args...))
}

// outputs calls f for the arguments that are outputs, with their buffers.
func (t *trial) eachOutput(f func(a *Argument, buffer int)) {
	for i := range t.job.Arguments {
		if a := &t.job.Arguments[i]; a.isOutput() {
			f(a, t.plan.buffer(i))
		}
	}
}

// origins looks for bytes of outputs that the host has made, whatever the inputs are. It reports whether there are some.
func (t *trial) origins(r *ran) bool {
	for _, c := range r.Calls {
		if c.Flow.Launches == 0 {
			t.v.becauseOf(HostOutput, NoLaunch, "a call launches no kernel")
			return true
		}
		t.eachOutput(func(a *Argument, buffer int) {
			o := c.Flow.Origins[buffer]
			size := uint64(len(c.Contents[buffer]))
			switch {
			case o.Copied > 0:
				t.v.becauseOf(HostOutput, CopiedFromHost, fmt.Sprintf("%d of %d bytes of output %s are copied from the host's memory: no kernel has computed them", o.Copied, size, a.Name))
			case o.FillValues > 1 || o.Filled == size:
				t.v.becauseOf(HostOutput, FilledByHost, fmt.Sprintf("%d of %d bytes of output %s are what the host has filled in: no kernel has computed them", o.Filled, size, a.Name))
			}
		})
	}
	return len(t.v.Reasons) > 0
}

// oneInput decides without a second input: all that the host sends may be a result.
func (t *trial) oneInput(r *ran, why string) {
	for _, c := range r.Calls {
		sent := longPart(c.Flow.Steps)
		for _, s := range c.Flow.Sent {
			if !s.Device {
				sent += int(s.Unit)
			}
		}
		t.eachOutput(func(a *Argument, buffer int) {
			if n := c.Flow.Origins[buffer].Carried; n > 0 {
				t.carried(a, n, len(c.Contents[buffer]))
			}
		})
		if room := t.room(c.Contents); sent > room {
			t.suspect(OneInput, "the host sends %d bytes to the device, and whether they depend on the inputs cannot be told: %s", sent, why)
		}
	}
}

// longPart counts the bytes of steps that are more than a program needs to say what is to be done: those of long
// arguments, and of many steps unless one follows from another.
func longPart(steps []kernels.Step) (n int) {
	const few, short = 32, 64
	of := map[stepKind][]kernels.Step{}
	for _, s := range steps {
		n += 4 * max(0, len(s.Words)-short)
		k := stepKind{s.Kind, s.Name}
		of[k] = append(of[k], s)
	}
	for _, list := range of {
		if len(list) > few {
			n += listPart(list[:few], list, nil)
		}
	}
	return n
}

// room is how many bytes of the host's are little beside each output.
func (t *trial) room(contents [][]byte) int {
	least := -1
	t.eachOutput(func(_ *Argument, buffer int) {
		if n := information(contents[buffer]) / hostShare; least < 0 || n < least {
			least = n
		}
	})
	return least
}

func (t *trial) carried(a *Argument, n uint64, size int) {
	t.v.becauseOf(HostOutput, CarriedByKernel, fmt.Sprintf("%d of %d bytes of output %s come from the host's memory, and kernels have only moved or masked them", n, size, a.Name))
}

// comparePart compares the host's part in the k-th calls of two runs, which had different inputs.
func (t *trial) comparePart(a, b *ran, k int, unordered bool, noise map[unitAt]bool) {
	x, y := &a.Calls[k], &b.Calls[k]
	part := partOf(x.Flow, y.Flow, unordered, noise)
	t.eachOutput(func(arg *Argument, buffer int) {
		o, size := x.Flow.Origins[buffer], len(x.Contents[buffer])
		varies := !bytes.Equal(x.Contents[buffer], y.Contents[buffer])
		if o.Carried > 0 && (part.sent > 0 || !varies) {
			t.carried(arg, o.Carried, size)
		}
		if o.Filled > 0 && part.fills > 0 {
			t.v.becauseOf(HostOutput, FilledByHost, fmt.Sprintf("%d of %d bytes of output %s are what the host has filled in, which depends on the inputs", o.Filled, size, arg.Name))
		}
		n := information(x.Contents[buffer])
		if varies && part.all() > n/hostShare {
			t.suspect(HostData, "what the host gives the device differs with the inputs by %d bytes, and output %s says no more than %d: the host may have computed it", part.all(), arg.Name, n)
		}
	})
}

// information estimates the information in an output, in bytes.
func information(b []byte) int {
	var n counter
	w, err := flate.NewWriter(&n, flate.BestSpeed)
	if err != nil {
		return 0
	}
	if _, err := w.Write(b); err != nil || w.Close() != nil {
		return 0
	}
	return min(int(n), len(b))
}

// counter counts what is written to it.
type counter int

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// partOf measures the difference between what the host gave the device in two calls. unordered compares steps whatever
// their order is, which may say as much as there are orders.
func partOf(a, b *kernels.HostFlow, unordered bool, noise map[unitAt]bool) (p hostPart) {
	h := newHeard(a.Heard, b.Heard)
	p.sent = max(sentPart(a, b, h), timePart(a, b, h, noise))
	x, y := a.Steps, b.Steps
	if unordered {
		x, y = sorted(x), sorted(y)
		p.steps = max(orders(x), orders(y))
	}
	p.stepsPart(x, y, h)
	return p
}

// orders is what the order of the device's work can say, in bytes: the logarithm of the number of orders of sorted steps.
func orders(steps []kernels.Step) int {
	bits, same := 0.0, 0.0
	work := deviceWork(steps)
	for i := range work {
		if same++; i > 0 && !isSame(&work[i], &work[i-1]) {
			same = 1
		}
		bits += math.Log2(float64(i+1) / same)
	}
	return int(math.Ceil(bits / 8))
}

func isSame(a, b *kernels.Step) bool {
	return a.Kind == b.Kind && a.Name == b.Name && slices.Equal(a.Words, b.Words)
}

func sorted(list []kernels.Step) []kernels.Step {
	return slices.SortedFunc(slices.Values(list), func(a, b kernels.Step) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), slices.Compare(a.Words, b.Words))
	})
}

// stepKind is what steps have in common that are compared in their order.
type stepKind struct {
	kind kernels.StepKind
	name string
}

// stepsPart counts what differs in the steps. Steps of one kind are compared in their order, and the order of what runs
// by itself: a loop that takes more turns tells little.
func (p *hostPart) stepsPart(a, b []kernels.Step, h heard) {
	of := map[stepKind][2][]kernels.Step{}
	for i, steps := range [][]kernels.Step{a, b} {
		for _, s := range steps {
			k := stepKind{s.Kind, s.Name}
			list := of[k]
			list[i] = append(list[i], s)
			of[k] = list
		}
	}
	for k, list := range of {
		n := listPart(list[0], list[1], h)
		if p.steps += n; k.kind == kernels.StepFill {
			p.fills += n
		}
	}
	p.steps += orderPart(a, b)
}

// listPart compares steps of one kind.
func listPart(a, b []kernels.Step, h heard) (n int) {
	for i := range min(len(a), len(b)) {
		n += stepPart(&a[i], &b[i], h)
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a) > len(b) {
		n++
	}
	for i := len(b); i < len(a); i++ {
		for w, v := range a[i].Words {
			if !wordContinued(a, i, w, v) {
				n += max(4, a[i].Bytes)
			}
		}
	}
	return n
}

// stepPart compares two steps.
func stepPart(a, b *kernels.Step, h heard) int {
	n := wordsPart(a.Words, b.Words, h)
	if n > 0 {
		n = max(n, a.Bytes, b.Bytes)
	}
	return n
}

// wordContinued is isContinued for a word of steps.
func wordContinued(steps []kernels.Step, i, w int, v uint32) bool {
	var x []uint64
	for k := max(0, i-2); k < i; k++ {
		if w < len(steps[k].Words) {
			x = append(x, uint64(steps[k].Words[w]))
		}
	}
	x = append(x, uint64(v))
	return isContinued(x, len(x)-1)
}

func wordsPart(a, b []uint32, h heard) (n int) {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a) || i >= len(b):
			n += 4
		case a[i] != b[i]:
			n += h.cost(a[i], b[i])
		}
	}
	return n
}

// orderPart compares the order of steps: a byte for each that does not continue a loop.
func orderPart(a, b []kernels.Step) int {
	same := func(x, y kernels.Step) bool { return x.Kind == y.Kind && x.Name == y.Name }
	a, b = deviceWork(a), deviceWork(b)
	lo := 0
	for lo < len(a) && lo < len(b) && same(a[lo], b[lo]) {
		lo++
	}
	hiA, hiB := len(a), len(b)
	for hiA > lo && hiB > lo && same(a[hiA-1], b[hiB-1]) {
		hiA, hiB = hiA-1, hiB-1
	}
	if len(a) < len(b) {
		a, hiA, hiB = b, hiB, hiA
	}
	if hiB > lo {
		return max(hiA, hiB) - lo
	}
	for period := 1; period <= maxPeriod && period <= lo; period++ {
		repeats := true
		for i := lo; i < hiA && repeats; i++ {
			repeats = same(a[i], a[i-period])
		}
		if repeats {
			return 0
		}
	}
	return hiA - lo
}

// maxPeriod bounds the steps of a loop that are recognized as one.
const maxPeriod = 16

// probe changes a plan with one call, whose reference is not asked again: its inputs are reversed. It reports whether any
// has changed.
func (p *plan) probe() (changed bool) {
	contents := slices.Clone(p.contents[0])
	for i, b := range contents {
		n := p.job.Arguments[i].Type.size()
		if b == nil {
			continue
		}
		turned := make([]byte, 0, len(b))
		for at := len(b) - n; at >= 0; at -= n {
			turned = append(turned, b[at:at+n]...)
		}
		changed = changed || !bytes.Equal(turned, b)
		contents[i] = turned
	}
	p.contents = [][][]byte{contents}
	return changed
}
