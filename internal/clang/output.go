package clang

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// A compiler that ends well has not always written what it was asked for: its output may have gone
// elsewhere, or a full disk may have cut it. So each output is checked before it is kept, and again
// after it was read from the cache: an entry that fails counts as absent, and is made again.

// machines are the ELF machines by Go's names of architectures.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// checkMachine returns why data is not a relocatable object for this machine.
func checkMachine(data []byte) error {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return unlike(data, "an ELF file", err)
	}
	if want := machines[runtime.GOARCH]; f.Type != elf.ET_REL || f.Machine != want {
		return fmt.Errorf("the compiler wrote %v for %v, not %v for %v", f.Type, f.Machine, elf.ET_REL, want)
	}
	return nil
}

// checkObject returns why data is neither an ELF file nor, as with -flto, LLVM's bitcode.
func checkObject(data []byte) error {
	return begins(data, "an object file or a program", elf.ELFMAG, "BC\xC0\xDE")
}

// checkPTX returns why data is not a module: each has a version (PTX ISA, "PTX Module Directives: .version").
func checkPTX(data []byte) error {
	if !bytes.Contains(data, []byte(".version")) {
		return unlike(data, "a PTX module", errors.New("it has no .version"))
	}
	return nil
}

// checkHeader returns why data is not a precompiled header of clang's.
func checkHeader(data []byte) error { return begins(data, "a precompiled header", "CPCH") }

// begins returns why data has none of the signatures of a kind of file.
func begins(data []byte, kind string, signatures ...string) error {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s)) {
			return nil
		}
	}
	return unlike(data, kind, errors.New("it has another signature"))
}

func unlike(data []byte, kind string, why error) error {
	if len(data) == 0 {
		why = errors.New("it is empty")
	}
	return fmt.Errorf("the compiler's output is not %s: %w", kind, why)
}

// check returns why what a unit was compiled to cannot be right.
func (p *Product) check(u Unit) error {
	if p.PTX != nil || u.Lang == nvcc.CUDA {
		if err := checkPTX(p.PTX); err != nil {
			return err
		}
	}
	if u.DeviceOnly {
		return nil
	}
	return checkObject(p.Object)
}

// bad notes that an entry of the cache is not used, if there is a reason, and reports whether there is.
func bad(why error) bool {
	if why != nil {
		fallback.Took(fallback.Cache, fmt.Errorf("a kept result is made again: %w", why))
	}
	return why != nil
}

// isObject reports whether a file is an object or a program; it looks at its first bytes.
func isObject(path string) bool {
	f, err := userfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(elf.ELFMAG))
	_, err = io.ReadFull(f, head)
	return err == nil && checkObject(head) == nil
}
