package nvcc

import (
	"slices"
	"strconv"
	"strings"
)

// kind is how an option takes its value.
type kind int

const (
	flag  kind = iota // none
	value             // one
	list              // several, separated by commas
	maybe             // one, but only as name=value
)

// option is an option: its long and short name without dashes, and its effect.
// Each word of a list is handed to set.
type option struct {
	long, short string
	kind        kind
	set         func(c *Command, v string) error
}

// nothing accepts an option that changes nothing here: it concerns NVIDIA's
// own back end, or is the only way we have.
func nothing(*Command, string) error { return nil }

// phases are in the order in which nvcc 13.5 goes through them: of several that are asked for, as in "-dc --ptx", the first one ends
// the compilation.
var phases = []Phase{Depend, Preprocess, PTX, Cubin, Fatbin, Compile, Cuda, DeviceLink, Library, Link}

func phase(p Phase) func(*Command, string) error {
	return func(c *Command, _ string) error {
		if slices.Index(phases, p) < slices.Index(phases, c.Phase) {
			c.Phase = p
		}
		return nil
	}
}

func info(name string) func(*Command, string) error {
	return func(c *Command, _ string) error {
		if c.Info == "" {
			c.Info = name
		}
		return nil
	}
}

func text(field func(*Command) *string) func(*Command, string) error {
	return func(c *Command, v string) error {
		*field(c) = v
		return nil
	}
}

func yes(field func(*Command) *bool) func(*Command, string) error {
	return func(c *Command, _ string) error {
		*field(c) = true
		return nil
	}
}

func words(field func(*Command) *[]string) func(*Command, string) error {
	return func(c *Command, v string) error {
		*field(c) = append(*field(c), v)
		return nil
	}
}

// prefixed collects preprocessor options: one word, or two for a name that
// ends in a blank.
func prefixed(name string) func(*Command, string) error {
	return func(c *Command, v string) error {
		if first, two := strings.CutSuffix(name, " "); two {
			c.Preprocessor = append(c.Preprocessor, first, v)
		} else {
			c.Preprocessor = append(c.Preprocessor, name+v)
		}
		return nil
	}
}

func linkWord(prefix string) func(*Command, string) error {
	return func(c *Command, v string) error {
		if v != "" {
			c.LinkLine = append(c.LinkLine, LinkWord{-1, prefix + v})
		}
		return nil
	}
}

func truth(name string, field func(*Command) **bool) func(*Command, string) error {
	return func(c *Command, v string) error {
		b, err := parseBool(name, v)
		*field(c) = &b
		return err
	}
}

func parseBool(name, v string) (bool, error) {
	switch v {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, errorf("'%s': expected true or false for option '%s'", v, name)
}

func setRDC(c *Command, v string) (err error) {
	c.RDC, err = parseBool("relocatable-device-code", v)
	return err
}

func deviceLink(c *Command, _ string) error {
	c.LinksDevice = true
	return phase(DeviceLink)(c, "")
}

func deviceObject(c *Command, _ string) error {
	c.RDC = true
	return phase(Compile)(c, "")
}

func setGencode(c *Command, v string) error {
	v = strings.Trim(v, `"'`)
	var g Gencode
	for _, part := range splitList(v) {
		name, val, ok := strings.Cut(part, "=")
		switch {
		case ok && name == "arch":
			g.Arch = val
		case ok && name == "code":
			g.Codes = append(g.Codes, splitList(strings.Trim(val, `[]"'\`))...)
		default:
			return errorf("'%s': expected arch=...,code=... for option 'generate-code'", v)
		}
	}
	if g.Arch == "" {
		return errorf("'%s': option 'generate-code' must specify 'arch'", v)
	}
	c.Gencodes = append(c.Gencodes, g)
	return nil
}

func setThreads(c *Command, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return errorf("'%s': expected a number for option 'threads'", v)
	}
	c.Threads = n
	return nil
}

func setStream(c *Command, v string) error {
	switch v {
	case "legacy", "null", "per-thread":
		c.PerThread = v == "per-thread"
		return nil
	}
	return errorf("Value '%s' is not defined for option 'default-stream'", v)
}

func setCudart(c *Command, v string) error {
	switch v {
	case "none", "shared", "static":
		c.Cudart = v
		return nil
	}
	return errorf("Value '%s' is not defined for option 'cudart'", v)
}

func setMachine(_ *Command, v string) error {
	if v != "64" {
		return errorf("'%s': only 64-bit code can be compiled", v)
	}
	return nil
}

func setWerror(c *Command, v string) error {
	c.WarningsErrors = c.WarningsErrors || v == "all-warnings"
	return nil
}

func depend(noSystem bool) func(*Command, string) error {
	return func(c *Command, _ string) error {
		c.Depend.NoSystem = noSystem
		return phase(Depend)(c, "")
	}
}

func dependWith(noSystem bool) func(*Command, string) error {
	return func(c *Command, _ string) error {
		c.Depend.Write, c.Depend.NoSystem = true, noSystem
		return nil
	}
}

func setRunArgs(c *Command, v string) error {
	c.RunArgs = append(c.RunArgs, v)
	return nil
}

func setFrontend(c *Command, v string) error {
	if v != "clang" && v != "nvcc" {
		return errorf("Value '%s' is not defined for option 'frontend'", v)
	}
	c.Frontend = v
	return nil
}

func setVersion(c *Command, v string) error {
	var err error
	if c.CUDA, err = ParseVersion(v); err != nil {
		return errorf("Value '%s' is not defined for option 'cuda-version'", v)
	}
	return nil
}

func setBuild(c *Command, v string) error {
	switch v {
	case "source", "optimized":
		c.Optimized = v == "optimized"
		return nil
	}
	return errorf("Value '%s' is not defined for option 'build'", v)
}
