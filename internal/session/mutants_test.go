package session

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/warp"
)

var (
	ptxMutants = flag.Int("ptx-mutants", 50, "how many mutated modules TestMutatedPTX runs on each executor")
	ptxSeed    = flag.Uint64("ptx-seed", 1, "where TestMutatedPTX begins")
	ptxKeep    = flag.String("ptx-keep", "", "file for the module that TestMutatedPTX is about to run")
)

// TestMutatedPTX runs damaged modules with all rules, by the interpreter and by native code.
// Each is refused, faults or runs: none ends the tool, none takes long, and the reports
// are the same.
func TestMutatedPTX(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of modules; not in short mode")
	}
	rng := rand.New(rand.NewPCG(*ptxSeed, 17))
	corpus := ptxCorpus(t)
	const batch = 25
	tally := map[string]int{}
	for left := *ptxMutants; left > 0; left -= batch {
		var modules []string
		for range min(left, batch) {
			modules = append(modules, mutated(rng, corpus))
		}
		want := runModules(t, "off", modules, tally)
		if warp.UseExecutor("always") != nil {
			continue
		}
		got := runModules(t, "always", modules, nil)
		if got != want {
			t.Errorf("the executors disagree%s", firstDifference(t, modules))
		}
	}
	t.Logf("%d modules: %v", *ptxMutants, tally)
}

// ptxCorpus are the modules of the other packages' tests.
func ptxCorpus(t *testing.T) (texts []string) {
	t.Helper()
	files, _ := filepath.Glob("internal/*/testdata/*.ptx")
	more, _ := filepath.Glob("internal/*/*/testdata/*.ptx")
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

var (
	ptxToken   = regexp.MustCompile(`[%$.]?[A-Za-z_0-9]+(\.[A-Za-z_0-9]+)*|0x[0-9a-fA-F]+`)
	ptxNumber  = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|[0-9]+)$`)
	ptxKernel  = regexp.MustCompile(`\.entry\s+([A-Za-z_$%][\w$]*)`)
	ptxNumbers = []string{"0", "1", "-1", "2", "3", "31", "32", "33", "64", "255", "4096", "65536", "2147483647", "4294967295", "18446744073709551615"}
)

// mutated is a module with a few tokens or lines changed.
func mutated(rng *rand.Rand, corpus []string) string {
	text := corpus[rng.IntN(len(corpus))]
	for range 1 + rng.IntN(4) {
		switch rng.IntN(4) {
		case 0:
			text = mutateLine(rng, text)
		default:
			text = mutateToken(rng, text, corpus)
		}
	}
	return text
}

// mutateLine takes a line away, doubles it, or exchanges it with another one.
func mutateLine(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
	switch rng.IntN(3) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, j, lines[i])
	case 2:
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "")
}

// mutateToken puts another token, of this module or of another one, in the place of one: mostly
// one of its class, so that the module is likely to be read.
func mutateToken(rng *rand.Rand, text string, corpus []string) string {
	tokens := ptxToken.FindAllStringIndex(text, -1)
	if len(tokens) == 0 {
		return text
	}
	at := tokens[rng.IntN(len(tokens))]
	from := text
	if rng.IntN(8) == 0 {
		from = corpus[rng.IntN(len(corpus))]
	}
	others := ptxToken.FindAllString(from, -1)
	with := others[rng.IntN(len(others))]
	class := classOf(text[at[0]:at[1]])
	for range 200 {
		if classOf(with) == class {
			break
		}
		with = others[rng.IntN(len(others))]
	}
	if class == "number" && rng.IntN(2) == 0 {
		with = ptxNumbers[rng.IntN(len(ptxNumbers))]
	}
	return text[:at[0]] + with + text[at[1]:]
}

// classOf is what tokens have in common that can mostly stand for each other: the kind of
// register, the type of an instruction.
func classOf(token string) string {
	switch {
	case ptxNumber.MatchString(token):
		return "number"
	case strings.HasPrefix(token, "%"):
		return strings.TrimRight(token, "0123456789")
	case strings.HasPrefix(token, "$"):
		return "label"
	}
	return token[strings.LastIndexByte(token, '.')+1:]
}

// runModules runs modules with an executor, and returns what was found.
func runModules(t *testing.T, executor string, modules []string, tally map[string]int) string {
	t.Helper()
	if err := warp.UseExecutor(executor); err != nil {
		t.Skip(err)
	}
	s, err := NewSession(Config{Config: build.Config{Arch: "sm_90", Inputs: []string{"mutant.o"}}, RunConfig: RunConfig{MaxSteps: 1 << 12, Workers: 1, OnFault: "kernel", Stdout: io.Discard, Stderr: io.Discard}, CheckConfig: CheckConfig{Tools: "all"}})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	r, err := s.serve(t.Context(), func(ctx context.Context, server *host.Server) (host.Exit, error) {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "s"), Net: "unix"})
		if err != nil {
			return host.Exit{}, err
		}
		served := make(chan error, 1)
		go func() { served <- server.Serve(ctx, l) }()
		for i, text := range modules {
			if *ptxKeep != "" {
				_ = os.WriteFile(*ptxKeep, []byte(text), 0o666)
			}
			all, err := runModule(l.Addr().String(), uint64(i+1), text)
			if err != nil {
				t.Errorf("%s: %v\n%s", executor, err, keep(t, text))
			}
			codes = append(codes, strings.Join(all, " "))
			for _, code := range all {
				if tally != nil {
					tally[code]++
				}
			}
		}
		l.Close()
		return host.Exit{}, <-served
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Bug != nil {
		t.Errorf("%s: %v", executor, s.Bug)
		for _, text := range modules {
			t.Log(keep(t, text))
		}
	}
	return strings.Join(codes, "\n") + "\n" + findingsOf(t, r)
}

func findingsOf(t *testing.T, r *report.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r.Findings, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keep writes a module to a file that stays, for who mends what it shows.
func keep(t *testing.T, text string) string {
	t.Helper()
	f, err := os.CreateTemp("", "mutant-*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, _ = f.WriteString(text)
	return f.Name()
}

// firstDifference finds the module on which the executors disagree.
func firstDifference(t *testing.T, modules []string) string {
	t.Helper()
	for _, text := range modules {
		want, got := runModules(t, "off", []string{text}, nil), runModules(t, "always", []string{text}, nil)
		if want == got {
			continue
		}
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				return fmt.Sprintf(" about %s:\n%s\n%s", keep(t, text), a[i], b[i])
			}
		}
		return " about " + keep(t, text)
	}
	return ", but about no single module"
}

// runModule is a program that loads a module and launches its kernels once. It returns the
// codes of what it has done.
func runModule(socket string, token uint64, text string) (codes []string, err error) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	p := program{c: c}
	p.ask(protocol.Hello{Version: protocol.Version(), Token: token}, &protocol.Caps{})
	_, _ = c.Read(make([]byte, 1)) // with the arena's file
	meta := fmt.Sprintf(`{"source":"mutant%d.cu","module":"mutant%d.cu"}`, token, token)
	var module protocol.LoadReply
	var buffer protocol.AllocReply
	if p.ask(protocol.Load{Module: protocol.Part{Meta: []byte(meta), PTX: []byte(text)}}, &module); p.code == host.Success {
		p.ask(protocol.Alloc{Size: 1 << 16}, &buffer)
		for _, m := range ptxKernel.FindAllStringSubmatch(text, -1) {
			p.launch(module.ID, m[1], uint64(buffer.Address))
		}
		p.ask(protocol.DeviceSync{}, nil)
	}
	p.ask(protocol.Bye{}, nil)
	return p.codes, p.err
}

// program is a program's end of its connection.
type program struct {
	c     *net.UnixConn
	code  host.Code
	codes []string
	err   error
}

// launch launches a kernel; its parameters are the buffer's address, or small numbers.
func (p *program) launch(module uint32, kernel string, buffer uint64) {
	var f protocol.FunctionReply
	if p.ask(protocol.Function{Module: module, Name: kernel}, &f); p.code != host.Success || p.err != nil {
		return
	}
	size := 0
	for _, pa := range f.Params {
		size = max(size, int(pa.Offset+pa.Size))
	}
	params := make([]byte, size)
	for _, pa := range f.Params {
		switch pa.Size {
		case 8:
			binary.LittleEndian.PutUint64(params[pa.Offset:], buffer)
		case 4:
			binary.LittleEndian.PutUint32(params[pa.Offset:], 64)
		}
	}
	p.ask(protocol.Launch{Kernel: f.ID, Grid: protocol.Dim3{X: 2, Y: 1, Z: 1}, Block: protocol.Dim3{X: 48, Y: 1, Z: 1}, Params: params}, nil)
}

// ask sends a request and takes the reply.
func (p *program) ask(request, reply any) {
	if p.err != nil {
		return
	}
	body := protocol.Encode(nil, protocol.Head{Op: protocol.OpOf(reflect.TypeOf(request)), Call: "call"})
	body = protocol.Encode(body, request)
	_, p.err = p.c.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...))
	var length [4]byte
	if p.err == nil {
		_, p.err = io.ReadFull(p.c, length[:])
	}
	answer := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if p.err == nil {
		_, p.err = io.ReadFull(p.c, answer)
	}
	var head protocol.ReplyHead
	if p.err == nil {
		answer, p.err = protocol.Decode(answer, &head)
	}
	if p.err == nil && reply != nil {
		_, p.err = protocol.Decode(answer, reply)
	}
	p.code = host.Code(head.Code)
	p.codes = append(p.codes, fmt.Sprintf("%T %v", request, p.code))
}
