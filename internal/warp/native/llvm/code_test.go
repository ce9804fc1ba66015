package llvm

import (
	"errors"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// stubBackend compiles without a cache.
type stubBackend func(language, text string) ([]byte, error)

func (f stubBackend) Compile(language, text string) ([]byte, error) { return f(language, text) }
func (f stubBackend) Cached(_, _ string) []byte                     { return nil }

// TestFailedCode: a program that gets no machine code is left to the interpreter, and the reason is
// noted once for each form of it.
func TestFailedCode(t *testing.T) {
	short := func() *program.Program {
		return &program.Program{Slab: 4096, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}}, Code: []program.Instr{{Op: program.OpReturn, Guard: program.NoSlot}}}
	}
	long := short()
	long.Code = append(make([]program.Instr, native.MaxSteps), long.Code...)
	no := errors.New("no compiler")
	tests := map[string]struct {
		p       *program.Program
		compile stubBackend
		want    string
	}{
		"error":     {short(), func(_, _ string) ([]byte, error) { return nil, no }, no.Error()},
		"empty":     {short(), func(_, _ string) ([]byte, error) { return nil, nil }, "the compiler's object file: EOF"},
		"too large": {long, func(_, _ string) ([]byte, error) { panic("compiled") }, native.ErrTooLarge.Error()},
	}
	for name, c := range tests {
		before := fallback.Now()
		x := Executor{Always: true, Compiler: NewCompiler(c.compile)}
		for range 2 {
			if !x.Due(c.p, 1) {
				continue
			}
			if code := x.Translate(c.p, 0); code != nil && code.Form(false).Entry[0] != 0 {
				t.Errorf("%s: there is code", name)
			}
		}
		list := fallback.Since(before)
		if len(list) != 1 || list[0].Way != fallback.GeneratedCode || list[0].Count != 1 || !slices.Contains(list[0].Reasons, c.want) {
			t.Errorf("%s: %+v, want one of %q", name, list, c.want)
		}
	}
	before := fallback.Now()
	p := short()
	native.Refuse(p, no)
	native.Refuse(p, no)
	if list := fallback.Since(before); len(list) != 1 || list[0].Count != 1 {
		t.Errorf("refused twice: %+v", list)
	}
	if native.Due(p, 1, true) {
		t.Error("a refused program is due")
	}
}
