package native

import (
	"errors"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// AVX512 translates programs directly to machine code, before they run with Always, else when they have run a while.
type AVX512 struct{ Always bool }

// Supported returns why the code cannot run here, nil if it can.
func (AVX512) Supported() error {
	if !jit.Available() {
		return errors.New("native code needs an x86-64 processor with AVX-512 (F, BW, CD, DQ, VL) and BMI1")
	}
	return nil
}

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x AVX512) Due(p *program.Program, did uint64) bool { return Due(p, did, x.Always) }

// Translate returns the code of a program for what is watched, nil where that cannot be.
func (AVX512) Translate(p *program.Program, w Watched) *Code { return codeOf(p, w, newDirect) }

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func (AVX512) NewCode(p *program.Program, kept ...int32) *Code { return newCode(p, newDirect, kept) }

// direct makes code.
type direct struct {
	plan    *plan
	watched Watched
}

func newDirect(pl *plan, w Watched) maker { return direct{pl, w} }

func (direct) adapts() bool { return false }

// make translates the program. Where the system refuses memory for the code, there is none for any step.
func (c direct) make() (m made) {
	text, entry, sweep := generate(c.plan, c.watched)
	code, err := jit.Map(text)
	if err != nil {
		fallback.Took(fallback.GeneratedCode, err)
	}
	for f := range entry {
		if err != nil {
			clear(entry[f])
		}
		m.forms[f] = Form{text: code, Entry: entry[f], sweep: sweep}
	}
	return m
}
