package build

import (
	"cmp"
	"debug/elf"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/clang/passes"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// maxDeviceCode bounds the bytes of a section of device code that are looked at.
const maxDeviceCode = 1 << 30

// BuiltFor names the architecture that an executable's device code asks for: the default one if
// that runs all modules that are linked into it, else the oldest that does. It is "" where
// the executable has no device code that can be read, or no architecture runs all of it.
func BuiltFor(exe string) string {
	modules := deviceModules(exe)
	if len(modules) == 0 {
		return ""
	}
	wanted := []host.Target{{SM: defaultSM()}}
	for _, targets := range modules {
		wanted = append(wanted, targets...)
	}
	slices.SortStableFunc(wanted[1:], func(a, b host.Target) int { return cmp.Compare(a.SM, b.SM) })
	for _, w := range wanted {
		all := !slices.ContainsFunc(modules, func(targets []host.Target) bool {
			return !slices.ContainsFunc(targets, func(t host.Target) bool { return t.RunsOn(w.SM) })
		})
		if all {
			return "sm_" + strconv.Itoa(w.SM)
		}
	}
	return ""
}

func defaultSM() int {
	a, err := arch.Parse(arch.Default)
	if err != nil {
		panic(err)
	}
	return a.SM
}

// deviceModules lists, for each module in an executable, the architectures that it has PTX for.
func deviceModules(exe string) [][]host.Target {
	f, err := userfile.Open(exe)
	if err != nil {
		return nil // whoever opens it next reports the error
	}
	defer f.Close()
	file, err := elf.NewFile(f)
	if err != nil {
		return nil // a script
	}
	var out [][]host.Target
	for _, name := range []string{clang.WholeSection, clang.RelocatableSection} {
		section := file.Section(name)
		if section == nil || section.Size > maxDeviceCode {
			continue
		}
		data, err := section.Data()
		if err != nil {
			continue
		}
		out = append(out, modulesIn(data)...)
	}
	return out
}

// modulesIn splits a section of device code: modules of warpgrind's compiler or fat binaries of
// nvcc's, each aligned to 8 bytes.
func modulesIn(section []byte) [][]host.Target {
	const align = 8
	var out [][]host.Target
	for len(section) >= align {
		size, targets := module(section)
		if targets != nil {
			out = append(out, targets)
		}
		size = max((size+align-1)/align*align, align) // or a step over padding
		section = section[min(size, len(section)):]
	}
	return out
}

// module returns the length of the module at the beginning of a section and what it has PTX for,
// 0 and nil if none begins there.
func module(section []byte) (int, []host.Target) {
	var targets []host.Target
	if size, err := fatbin.Size(section); err == nil {
		entries, err := fatbin.Entries(section)
		if err != nil {
			return size, nil
		}
		for _, e := range entries {
			if e.Kind == fatbin.KindPTX {
				targets = append(targets, host.Target{SM: e.SM})
			}
		}
		return size, targets
	}
	size, err := clang.FatbinSize(section)
	if err != nil || size > int64(len(section)) {
		return 0, nil
	}
	meta, _, err := clang.FatbinParts(section)
	if err != nil {
		return int(size), nil
	}
	for _, t := range meta.Targets {
		targets = append(targets, host.Target(t))
	}
	return int(size), targets
}

// TellsUnread reports whether an executable was built to report the errors of API calls that it does not read.
func TellsUnread(exe string) bool {
	f, err := elf.Open(exe)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(y elf.ImportedSymbol) bool { return y.Name == passes.UnreadHook })
}
