package instrument

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Scheme is a way to instrument.
type Scheme struct {
	Name, Doc string
	// global is set if accesses to global memory are watched, not to shared.
	global bool
	// fast is the shared memory in bytes that the scheme takes for a block with
	// a number of threads, where its tables are in shared memory; nil for none.
	fast func(threads int) int
}

//go:embed device/*.cuh
var device embed.FS

// schemes are all that there are.
var schemes = []Scheme{
	{Name: "boyer-race", Doc: "races in shared memory (Boyer 2008, section 4)", fast: func(int) int { return 32 }},
	{Name: "boyer-bank", Doc: "bank conflicts (Boyer 2008, section 5)"},
	{Name: "grace-stmt", Doc: "races in shared memory, by statement (GRace 2011, section 3.3)", fast: warpTables},
	{Name: "grace-addr", Doc: "races in shared memory, by address (GRace 2011, section 3.3)", fast: warpTables},
	{Name: "coalesce", Doc: "lines that a warp's access to global memory touches (GPUDrano 2017, section 5)", global: true},
}

// warpTables is an address for each thread, and what the block needs besides.
func warpTables(threads int) int { return 4*threads + 64 }

// SchemeNames lists the schemes.
func SchemeNames() []string {
	var names []string
	for _, s := range schemes {
		names = append(names, s.Name)
	}
	return names
}

func schemeNamed(name string) (Scheme, error) {
	i := slices.IndexFunc(schemes, func(s Scheme) bool { return s.Name == name })
	if i < 0 || schemes[i].header() == "" {
		return Scheme{}, fmt.Errorf("unknown scheme %q: want one of %s", name, strings.Join(SchemeNames(), ", "))
	}
	return schemes[i], nil
}

// header is the name of the scheme's file, "" if it is not there.
func (s Scheme) header() string {
	name := strings.ReplaceAll(s.Name, "-", "_") + ".cuh"
	if _, err := device.Open("device/" + name); err != nil {
		return ""
	}
	return name
}

// deviceText returns a file of the device side with those put in that it names.
func deviceText(name string) string {
	text, err := device.ReadFile("device/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	var out strings.Builder
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if part, ok := strings.CutPrefix(line, "//@include "); ok {
			out.WriteString(deviceText(strings.TrimSpace(part)))
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}

// header returns the one header of the instrumented program.
func header(s Scheme, settings string) string {
	text := deviceText("core.cuh")
	text = strings.Replace(text, "//@scheme\n", deviceText(s.header()), 1)
	text = strings.Replace(text, "//@host\n", deviceText("host.cuh"), 1)
	return settings + text
}
