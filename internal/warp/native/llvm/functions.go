package llvm

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// Code by way of LLVM calls functions in C (c/functions.c) for what is done lane by lane and for what observers keep of accesses. The
// same compiler translates them once for all kernels. Code finds them in Context.Functions.

//go:embed c/functions.c
var functionsText string

// function numbers the functions.
type function int

const (
	loadEach function = iota
	storeEach
	loadLocal
	storeLocal
	permute
	siftRead
	siftWrite
	siftUpdate
	siftExchange
	watchRead
	watchWrite
	watchUpdate
)

var functionNames = [native.NumFunctions]string{"load_each", "store_each", "load_local", "store_local", "permute", "sift_read", "sift_write", "sift_update", "sift_exchange", "watch_read", "watch_write", "watch_update"}

// The last argument of the functions that sift and watch: the logarithm of the size of units or, for watch, of the access, and these flags.
const (
	onePlace = 1 << 3 // the access is to the address of lane 0
	mayEnter = 1 << 4 // states are kept for accesses of the site
)

// The argument of the functions that load and store for each lane: the logarithm of the size of elements, from countShift on how many
// they are, and whether the region counts the access among those of lanes that are not neighbors.
const (
	countShift = 2
	countsMiss = 1 << 5
)

// functionConstants are what the functions know of Go's constants and structures.
func functionConstants() string {
	var b strings.Builder
	for _, c := range []struct {
		name  string
		value uint64
	}{
		{"ONE_PLACE", onePlace}, {"ENTERS", mayEnter}, {"COUNT_SHIFT", countShift}, {"COUNTS_MISS", countsMiss}, {"LOOK_AGAIN", native.LookAgain},
		{"STATE_READ", shadow.SieveRead}, {"STATE_ATOMIC", shadow.SieveAtomic}, {"STATE_WRITE", shadow.SieveWrite}, {"STATE_WRITTEN", shadow.SieveWritten},
		{"RECORD_SITE", recall.RecordSite}, {"RECORD_WARP", recall.RecordWarp}, {"RECORD_MASK", recall.RecordMask},
		{"RECORD_LENGTH", recall.RecordLength}, {"RECORD_KNOWN", recall.RecordKnown}, {"RECORD_ADDR", recall.RecordAddr}, {"RECORD_DATA", recall.RecordData},
		{"QUICK_READ", shadow.QuickRead}, {"QUICK_ATOMIC", shadow.QuickAtomic}, {"QUICK_WRITE", shadow.QuickWrite},
		{"QUICK_EVER_SHIFT", shadow.QuickEverShift}, {"QUICK_THREAD_SHIFT", shadow.QuickThreadShift},
		{"PLAIN_PAGES", shadow.Pages}, {"PLAIN_UNITS", shadow.PageUnits}, {"PLAIN_SEVERAL", shadow.RefSeveral},
		{"PLAIN_WARP", uint64(native.PlainWarp)}, {"WARP_SINCE", uint64(native.WarpSince)}, {"PLAIN_BEFORE", uint64(native.PlainBefore)}, {"BEFORE_N", uint64(native.BeforeN)},
		{"PAGE_SIZE", uint64(native.PlainPage)}, {"PAGE_STATES", uint64(native.PageStates)},
		{"TOUCHED_PAGES", shadow.TouchedPages}, {"TOUCHED_WORDS", shadow.TouchedWords}, {"TOUCHED_HEAD", shadow.TouchedHead}, {"TOUCHED_COUNT", shadow.TouchedCount},
		{"MARK_PAGE", shadow.MarkPage}, {"ENTER", uint64(native.Enter)}, {"MARK", uint64(native.Mark)},
		{"REGION_START", uint64(native.RegionStart)}, {"REGION_MISSED", uint64(native.RegionMissed)}, {"REGION_LIMIT", uint64(native.RegionLimit)}, {"REGION_PTR", uint64(native.RegionPtr)}, {"REGION_ENTERS", uint64(native.RegionEnters)},
		{"REGION_BITS", uint64(unsafe.Offsetof(native.Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Bits))}, {"REGION_PAGES", uint64(unsafe.Offsetof(native.Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Pages))},
		{"CTX_LOCAL", uint64(native.CtxLocal)}, {"LOCAL_ROW", native.RowBytes}, {"CTX_WARP", uint64(native.CtxWarp)}, {"CTX_SHARED", uint64(native.CtxShared)}, {"CTX_STATES", uint64(native.CtxStates)}, {"CTX_TAG", uint64(native.CtxTag)},
		{"CTX_JOT_AT", uint64(native.CtxJotAt)}, {"CTX_JOT_END", uint64(native.CtxJotEnd)}, {"CTX_THINS", uint64(native.CtxThins)}, {"CTX_SKIPS", uint64(native.CtxSkips)},
		{"CTX_PLAIN_SIZE", uint64(native.CtxPlainSize)}, {"CTX_PLAIN_NONE", uint64(native.CtxPlainNone)}, {"CTX_PLAIN_PAGES", uint64(native.CtxPlainPages)},
		{"CTX_PLAIN_WARPS", uint64(native.CtxPlainWarps)}, {"CTX_PLAIN_SITES", uint64(native.CtxPlainSites)}, {"CTX_PLAIN_LOOKED", uint64(native.CtxPlainLooked)},
		{"CTX_PLAIN_WROTE", uint64(native.CtxPlainWrote)}, {"CTX_PLAIN_WHO", uint64(native.CtxPlainWho)}, {"CTX_PLAIN_FAILS", uint64(native.CtxPlainFails)},
		{"CTX_PLAIN_SITE", uint64(native.CtxPlainSite)}, {"CTX_PLAIN_FIRST", uint64(native.CtxPlainFirst)},
		{"CTX_PLAIN_SHARED", uint64(unsafe.Offsetof(native.Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Shared))},
		{"CTX_TOUCHED", uint64(native.CtxTouched)}, {"CTX_JOURNAL", uint64(native.CtxJournal)}, {"CTX_JOURNAL_END", uint64(native.CtxJournalEnd)},
	} {
		fmt.Fprintf(&b, "#define %s %#x\n", c.name, c.value)
	}
	return b.String()
}

// A Backend makes ELF object files for this processor, of texts in a language: "ir" (LLVM) and "c", as by clang's option -x, and "draft",
// IR whose code has to be there soon and may be slow.
type Backend interface {
	Compile(language, text string) ([]byte, error)
	// Cached returns what was made of a text before, nil if it is not there.
	Cached(language, text string) []byte
}

const (
	languageIR    = "ir"
	languageDraft = "draft"
	languageC     = "c"
)

// A Compiler makes code with a backend.
type Compiler struct {
	backend   Backend
	functions func() (*functions, error)
	// running has an element for each compiler process. A program of hundreds of kernels must not start as many of them.
	running chan struct{}
}

// NewCompiler returns a compiler for a backend.
func NewCompiler(b Backend) *Compiler {
	c := &Compiler{backend: b, running: make(chan struct{}, runtime.GOMAXPROCS(0))}
	c.functions = sync.OnceValues(c.newFunctions)
	return c
}

// Prepare makes what all programs need.
func (c *Compiler) Prepare() { c.functions() }

// functions has their addresses.
type functions struct {
	text *jit.Code
	at   [native.NumFunctions]uintptr
}

func (c *Compiler) newFunctions() (*functions, error) {
	text, symbols, err := c.compiled(languageC, shadow.InC+functionConstants()+functionsText)
	if err != nil {
		return nil, err
	}
	s := &functions{text: text}
	for i, name := range functionNames {
		at, ok := symbols[name]
		if !ok {
			return nil, fmt.Errorf("the compiler's object file has no function %q", name)
		}
		s.at[i] = text.Address(at)
	}
	return s, nil
}

// compiled maps the code of a text, which is compiled if it is not in the cache.
func (c *Compiler) compiled(language, text string) (*jit.Code, map[string]int32, error) {
	object := c.backend.Cached(language, text)
	if object == nil {
		c.running <- struct{}{}
		var err error
		object, err = c.backend.Compile(language, text)
		<-c.running
		if err != nil {
			return nil, nil, err
		}
	}
	return mapped(object)
}

// mapped maps the code of an object file.
func mapped(object []byte) (*jit.Code, map[string]int32, error) {
	linked, err := jit.Link(object)
	if err != nil {
		return nil, nil, fmt.Errorf("the compiler's object file: %w", err)
	}
	code, err := jit.Map(linked.Text)
	return code, linked.Symbols, err
}
