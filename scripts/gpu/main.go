// Gpu prepares the launches that the engine's tests recorded (go test ./internal/engine -strict
// -record=FILE) for a machine with a GPU: it compiles each kernel by ptxas, leaves out what ptxas
// refuses for the architecture, and writes one file, which replay.c runs there:
//
//	go test ./internal/engine -strict -record=/tmp/record
//	go run ./scripts/gpu -ptxas PATH -o /tmp/cases /tmp/record
//	cc -O2 -o replay scripts/gpu/replay/replay.c -ldl && ./replay /tmp/cases /tmp/out 4   # on the GPU's machine
//
// Launches that ended by a fault are left out, and so are tests of what has no defined result.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// undefined are tests whose results the PTX ISA leaves open, or that need more than memory: handles
// of textures, time, and lanes that read what none has written.
var undefined = regexp.MustCompile(`^Test(Quiet|Sweeps|Tex|Surface|Sampl|Gather|TypeQ|LinearM|Multimem|Printf|Hangs|LocalWritten|Unset|Executors|SameEvents|Clock|CopyAsync|RepeatBefore)`)

// launch is a record of internal/engine's tests, in the order of its fields.
type launch struct {
	name, source, kernel []byte
	numbers              [7]uint32 // grid, block x, y, z, cluster, shared bytes, fault
	params               []byte
	offsets              []byte // of each parameter, 4 bytes each
	buffers              []buffer
}

type buffer struct {
	address       uint64
	before, after []byte
}

// maxBytes bounds a field, so that a broken file does not take all memory.
const maxBytes = 1 << 30

func field(r io.Reader) ([]byte, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	if n > maxBytes {
		return nil, fmt.Errorf("a field of %d bytes", n)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// read reads a launch; the error is io.EOF at the end.
func read(r io.Reader) (l launch, err error) {
	for i, to := range []*[]byte{&l.name, &l.source, &l.kernel} {
		if *to, err = field(r); err != nil {
			if i > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return l, err
		}
	}
	var n uint32
	if l.params, l.offsets, err = nil, nil, binary.Read(r, binary.LittleEndian, &l.numbers); err != nil {
		return l, err
	}
	if l.params, err = field(r); err != nil {
		return l, err
	}
	if l.offsets, err = field(r); err != nil {
		return l, err
	}
	if err = binary.Read(r, binary.LittleEndian, &n); err != nil {
		return l, err
	}
	for range n {
		var b buffer
		if err = binary.Read(r, binary.LittleEndian, &b.address); err != nil {
			return l, err
		}
		if b.before, err = field(r); err != nil {
			return l, err
		}
		if b.after, err = field(r); err != nil {
			return l, err
		}
		l.buffers = append(l.buffers, b)
	}
	return l, nil
}

// write writes what replay.c reads: a launch with machine code for its source. The length 0xffffffff
// means that the launch left the buffer unchanged.
func write(w io.Writer, l launch, code []byte) error {
	var b bytes.Buffer
	number := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	text := func(t []byte) {
		number(uint32(len(t)))
		b.Write(t)
	}
	text(l.name)
	text(code)
	text(l.kernel)
	number(l.numbers)
	text(l.params)
	text(l.offsets)
	number(uint32(len(l.buffers)))
	for _, x := range l.buffers {
		number(x.address)
		text(x.before)
		if bytes.Equal(x.before, x.after) {
			number(^uint32(0))
		} else {
			text(x.after)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// compiler makes machine code, once for each source.
type compiler struct {
	ptxas, arch, dir string
	lock             sync.Mutex
	made             map[string][]byte
	refused          map[string]int // by message
}

var (
	version = regexp.MustCompile(`(?m)^\s*\.version [0-9.]+`)
	target  = regexp.MustCompile(`(?m)^\s*\.target [^\n]*`)
	place   = regexp.MustCompile(`^ptxas [^;]*;\s*`)
)

func (c *compiler) compile(ctx context.Context, source string) {
	text := version.ReplaceAllString(source, ".version 9.0")
	text = target.ReplaceAllString(text, ".target "+c.arch)
	f, err := os.CreateTemp(c.dir, "*.ptx")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	_, _ = f.WriteString(text)
	f.Close()
	out := f.Name() + ".cubin"
	defer os.Remove(out)
	message, err := exec.CommandContext(ctx, c.ptxas, "-arch="+c.arch, "-o", out, f.Name()).CombinedOutput()
	code, _ := os.ReadFile(out)
	c.lock.Lock()
	defer c.lock.Unlock()
	if err != nil {
		first, _, _ := strings.Cut(string(message), "\n")
		c.refused[place.ReplaceAllString(first, "")]++
		code = nil
	}
	c.made[source] = code
}

// each calls f for the launches of files that can be repeated.
func each(files []string, f func(launch) error) error {
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		for r := bufio.NewReaderSize(file, 1<<20); ; {
			l, err := read(r)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if l.numbers[6] != 0 || undefined.Match(l.name) {
				continue
			}
			if err := f(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func run() error {
	c := &compiler{made: map[string][]byte{}, refused: map[string]int{}}
	flag.StringVar(&c.ptxas, "ptxas", "ptxas", "the compiler of `PATH`")
	flag.StringVar(&c.arch, "arch", "sm_90a", "the GPU's `ARCH`itecture")
	out := flag.String("o", "cases", "the `FILE` to write")
	flag.Parse()
	dir, err := os.MkdirTemp("", "warpgrind-gpu")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c.dir = filepath.Clean(dir)
	ctx, sources := context.Background(), make(chan string)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for s := range sources {
				c.compile(ctx, s)
			}
		})
	}
	seen := map[string]bool{}
	err = each(flag.Args(), func(l launch) error {
		if s := string(l.source); !seen[s] {
			seen[s] = true
			sources <- s
		}
		return nil
	})
	close(sources)
	workers.Wait()
	if err != nil {
		return err
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	w, written, without := bufio.NewWriter(file), 0, 0
	err = each(flag.Args(), func(l launch) error {
		code := c.made[string(l.source)]
		if code == nil {
			without++
			return nil
		}
		written++
		return write(w, l, code)
	})
	if err := errors.Join(err, w.Flush(), file.Close()); err != nil {
		return err
	}
	for message, n := range c.refused {
		fmt.Printf("%6d %s\n", n, message)
	}
	fmt.Printf("%d launches, %d left out that ptxas refuses for %s\n", written, without, c.arch)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
