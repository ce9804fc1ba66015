package x86

import (
	"errors"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Executor translates programs directly to machine code, before they run with Always, else when they have run a while.
type Executor struct{ Always bool }

// Supported returns why the code cannot run here, nil if it can.
func (Executor) Supported() error {
	if !jit.Available() {
		return errors.New("native code needs an x86-64 processor with AVX-512 (F, BW, CD, DQ, VL) and BMI1")
	}
	return nil
}

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x Executor) Due(p *program.Program, did uint64) bool { return native.Due(p, did, x.Always) }

// Translate returns the code of a program for what is watched, nil where that cannot be.
func (Executor) Translate(p *program.Program, w native.Watched) *native.Code {
	return native.CodeOf(p, w, newDirect)
}

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func (Executor) NewCode(p *program.Program, kept ...int32) *native.Code {
	return native.NewCode(p, newDirect, kept)
}

// direct makes code.
type direct struct {
	plan    *native.Plan
	watched native.Watched
}

func newDirect(pl *native.Plan, w native.Watched) native.Maker { return direct{pl, w} }

func (direct) Adapts() bool { return false }

// Make translates the program. Where the system refuses memory for the code, there is none for any step.
func (c direct) Make() (m native.Made) {
	text, entry, sweep := generate(c.plan, c.watched)
	code, err := jit.Map(text)
	if err != nil {
		fallback.Took(fallback.GeneratedCode, err)
	}
	for f := range entry {
		if err != nil {
			clear(entry[f])
		}
		m.Forms[f] = native.Form{Text: code, Entry: entry[f], SweepAt: sweep}
	}
	return m
}
