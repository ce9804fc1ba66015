package judge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Stream judges jobs, one a line, and writes the verdicts, one a line, in the order of the jobs. Lines
// that are empty are passed over; one that is not a job gets a verdict that says so. It returns how
// many verdicts say correct, and how many others. The error is that of reading, writing or ctx.
func (j *Judge) Stream(ctx context.Context, in io.Reader, out io.Writer, folder string) (correct, others int, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The verdicts in order: each comes in a channel of its own. Its room bounds how far
	// judging runs ahead of the slowest.
	queue := make(chan chan *Verdict, 4*j.cfg.Workers)
	lines, read := readLines(ctx, in)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(queue)
		for l := range lines {
			c := make(chan *Verdict, 1)
			if !send(ctx, queue, c) || !send(ctx, j.slots, struct{}{}) {
				return
			}
			wg.Go(func() {
				defer func() { <-j.slots }()
				c <- j.line(ctx, l.n, l.text, folder)
			})
		}
	})
	w := bufio.NewWriter(out)
	for c := range queue {
		var v *Verdict
		select {
		case v = <-c:
		case <-ctx.Done():
		}
		if v == nil || err != nil {
			continue
		}
		if err = errors.Join(v.write(w), w.Flush()); err != nil {
			stop()
		}
		if v.Correct {
			correct++
		} else {
			others++
		}
	}
	wg.Wait()
	var readErr error
	select {
	case readErr = <-read:
	default: // it still waits for input
	}
	return correct, others, errors.Join(err, w.Flush(), readErr, context.Cause(ctx))
}

// jobLine is the n-th line with a job.
type jobLine struct {
	n    int
	text []byte
}

// readLines sends the lines of in, and then the error of reading. A reader that waits for input when ctx ends is left behind: nothing
// ends a read of a terminal.
func readLines(ctx context.Context, in io.Reader) (<-chan jobLine, <-chan error) {
	all, lines, read := make(chan jobLine), make(chan jobLine), make(chan error, 1)
	go func() {
		defer close(all)
		read <- eachLine(in, func(n int, line []byte) bool { return send(ctx, all, jobLine{n, line}) })
	}()
	go func() {
		defer close(lines)
		for {
			select {
			case l, ok := <-all:
				if !ok || !send(ctx, lines, l) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, read
}

// send sends a value, unless ctx ends before.
func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// line judges what a line holds; nil if ctx has ended.
func (j *Judge) line(ctx context.Context, n int, line []byte, folder string) *Verdict {
	if len(line) > maxLine {
		return Invalid(n, "", fmt.Errorf("a job of more than %d bytes", maxLine))
	}
	job, err := Decode(line, folder)
	if err != nil {
		return Invalid(n, job.ID, err)
	}
	v, err := j.Judge(ctx, n, job)
	if err != nil {
		return nil
	}
	return v
}

// eachLine calls f for each line that is not empty, with its number, until f returns false. Of lines that are
// too long the rest is left out.
func eachLine(in io.Reader, f func(n int, line []byte) bool) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for n := 0; ; {
		var line []byte
		var err error
		for more := true; more; {
			var part []byte
			part, more, err = r.ReadLine()
			if len(line) <= maxLine {
				line = append(line, part...)
			}
			if err != nil {
				break
			}
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if !f(n, line) {
				return nil
			}
			n++
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
