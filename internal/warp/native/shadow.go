package native

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
)

// Code by way of LLVM enters accesses into what observers keep by calling functions in C (shadow/shadow.c), which the
// same compiler translates once for all kernels. Code finds them in Context.Shadow.

//go:embed shadow/shadow.c
var shadowFunctions string

// shadowFunction numbers the functions.
type shadowFunction int

const (
	siftRead shadowFunction = iota
	siftWrite
	siftUpdate
	siftExchange
	watchRead
	watchWrite
	watchUpdate
	numShadowFunctions
)

var shadowNames = [numShadowFunctions]string{"sift_read", "sift_write", "sift_update", "sift_exchange", "watch_read", "watch_write", "watch_update"}

// The last argument of the functions: the logarithm of the size of units or, for watch, of the access, and these flags.
const (
	onePlace = 1 << 3 // the access is to the address of lane 0
	mayEnter = 1 << 4 // states are kept for accesses of the site
)

// shadowConstants are what the functions know of Go's constants and structures.
func shadowConstants() string {
	var b strings.Builder
	for _, c := range []struct {
		name  string
		value uint64
	}{
		{"ONE_PLACE", onePlace}, {"ENTERS", mayEnter},
		{"STATE_THREAD", recall.StateThread}, {"STATE_READ", recall.StateRead}, {"STATE_ATOMIC", recall.StateAtomic},
		{"STATE_WRITE", recall.StateWrite}, {"STATE_WRITTEN", recall.StateWritten}, {"STATE_SEVERAL", recall.StateSeveral},
		{"RECORD_SITE", recall.RecordSite}, {"RECORD_WARP", recall.RecordWarp}, {"RECORD_MASK", recall.RecordMask},
		{"RECORD_LENGTH", recall.RecordLength}, {"RECORD_KNOWN", recall.RecordKnown}, {"RECORD_ADDR", recall.RecordAddr}, {"RECORD_DATA", recall.RecordData},
		{"QUICK_READ", trace.QuickRead}, {"QUICK_ATOMIC", trace.QuickAtomic}, {"QUICK_WRITE", trace.QuickWrite},
		{"QUICK_NOW", trace.QuickNow}, {"QUICK_EVER", trace.QuickEver}, {"QUICK_EVER_SHIFT", trace.QuickEverShift},
		{"QUICK_THREAD", trace.QuickThread}, {"QUICK_THREAD_SHIFT", trace.QuickThreadShift},
		{"QUICK_INTERVAL", 1 << trace.QuickIntervalShift}, {"QUICK_SEVERAL", trace.QuickSeveral},
		{"PLAIN_PAGES", trace.PlainPages}, {"PLAIN_UNITS", trace.PlainUnits}, {"PLAIN_SEVERAL", trace.PlainSeveral},
		{"PLAIN_WARP", uint64(plainWarp)}, {"WARP_SINCE", uint64(warpSince)}, {"PLAIN_BEFORE", uint64(plainBefore)}, {"BEFORE_N", uint64(beforeN)},
		{"PAGE_SIZE", uint64(plainPage)}, {"PAGE_STATES", uint64(pageStates)},
		{"TOUCHED_PAGES", trace.TouchedPages}, {"TOUCHED_WORDS", trace.TouchedWords}, {"TOUCHED_HEAD", trace.TouchedHead}, {"TOUCHED_COUNT", trace.TouchedCount},
		{"MARK_PAGE", trace.MarkPage}, {"ENTER", uint64(Enter)}, {"MARK", uint64(Mark)},
		{"REGION_LIMIT", uint64(unsafe.Offsetof(Region{}.Limit))}, {"REGION_PTR", uint64(unsafe.Offsetof(Region{}.Ptr))}, {"REGION_ENTERS", uint64(unsafe.Offsetof(Region{}.Enters))},
		{"REGION_BITS", uint64(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(trace.Marks{}.Bits))}, {"REGION_PAGES", uint64(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(trace.Marks{}.Pages))},
		{"CTX_WARP", uint64(ctxWarp)}, {"CTX_SHARED", uint64(ctxShared)}, {"CTX_STATES", uint64(ctxStates)}, {"CTX_TAG", uint64(ctxTag)},
		{"CTX_JOT_AT", uint64(ctxJotAt)}, {"CTX_JOT_END", uint64(ctxJotEnd)}, {"CTX_THINS", uint64(ctxThins)}, {"CTX_SKIPS", uint64(ctxSkips)},
		{"CTX_PLAIN_SIZE", uint64(ctxPlainSize)}, {"CTX_PLAIN_NONE", uint64(ctxPlainNone)}, {"CTX_PLAIN_PAGES", uint64(ctxPlainPages)},
		{"CTX_PLAIN_WARPS", uint64(ctxPlainWarps)}, {"CTX_PLAIN_SITES", uint64(ctxPlainSites)}, {"CTX_PLAIN_LOOKED", uint64(ctxPlainLooked)},
		{"CTX_PLAIN_WROTE", uint64(ctxPlainWrote)}, {"CTX_PLAIN_WHO", uint64(ctxPlainWho)}, {"CTX_PLAIN_FAILS", uint64(ctxPlainFails)},
		{"CTX_PLAIN_SITE", uint64(ctxPlainSite)}, {"CTX_PLAIN_FIRST", uint64(ctxPlainFirst)},
		{"CTX_PLAIN_SHARED", uint64(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(trace.PlainLive{}.Shared))},
		{"CTX_TOUCHED", uint64(ctxTouched)}, {"CTX_JOURNAL", uint64(ctxJournal)}, {"CTX_JOURNAL_END", uint64(ctxJournalEnd)},
	} {
		fmt.Fprintf(&b, "#define %s %#x\n", c.name, c.value)
	}
	return b.String()
}

// A Compiler makes ELF object files for this processor.
type Compiler struct {
	compile func(language, text string) ([]byte, error)
	shadow  func() (*Shadow, error)
}

// Languages of what compilers get, as clang's option -x names them.
const (
	languageIR = "ir"
	languageC  = "c"
)

// NewCompiler returns a compiler that calls a function with a language, "ir" or "c", and a text in it.
func NewCompiler(compile func(language, text string) ([]byte, error)) *Compiler {
	c := &Compiler{compile: compile}
	c.shadow = sync.OnceValues(c.newShadow)
	return c
}

// Shadow has the addresses of the functions.
type Shadow struct {
	text *jit.Code
	at   [numShadowFunctions]uintptr
}

func (c *Compiler) newShadow() (*Shadow, error) {
	text, symbols, err := c.compiled(languageC, shadowConstants()+shadowFunctions)
	if err != nil {
		return nil, err
	}
	s := &Shadow{text: text}
	for i, name := range shadowNames {
		at, ok := symbols[name]
		if !ok {
			return nil, fmt.Errorf("the compiler's object file has no function %q", name)
		}
		s.at[i] = text.Address(at)
	}
	return s, nil
}

// compiled compiles a text and maps the code.
func (c *Compiler) compiled(language, text string) (*jit.Code, map[string]int32, error) {
	object, err := c.compile(language, text)
	if err != nil {
		return nil, nil, err
	}
	linked, err := jit.Link(object)
	if err != nil {
		return nil, nil, fmt.Errorf("the compiler's object file: %w", err)
	}
	code, err := jit.Map(linked.Text)
	return code, linked.Symbols, err
}
