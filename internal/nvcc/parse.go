package nvcc

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/userfile"
)

// optionsFile are the names of the option that reads options from a file.
var optionsFile = map[string]bool{"-optf": true, "--options-file": true, "-options-file": true, "--optf": true}

// maxOptionFiles bounds the files that name further ones.
const maxOptionFiles = 100

// Expand replaces @file and --options-file by the words of the files.
func Expand(args []string) ([]string, error) {
	left := maxOptionFiles
	return expand(args, &left)
}

// Environment returns args between the flags of NVCC_PREPEND_FLAGS and
// NVCC_APPEND_FLAGS ("NVIDIA CUDA Compiler Driver", "NVCC Environment
// Variables").
func Environment(args []string, getenv func(string) string) []string {
	return slices.Concat(Fields(getenv("NVCC_PREPEND_FLAGS")), args, Fields(getenv("NVCC_APPEND_FLAGS")))
}

func expand(args []string, left *int) ([]string, error) {
	var out []string
	for i := 0; i < len(args); i++ {
		name, files, has := strings.Cut(args[i], "=")
		switch {
		case strings.HasPrefix(args[i], "@") && len(args[i]) > 1:
			files = args[i][1:]
		case optionsFile[name] && has:
		case optionsFile[name]:
			if i++; i == len(args) {
				return nil, errorf("Missing argument for option 'options-file'")
			}
			files = args[i]
		default:
			out = append(out, args[i])
			continue
		}
		for _, file := range splitList(files) {
			words, err := readOptions(file, left)
			if err != nil {
				return nil, err
			}
			out = append(out, words...)
		}
	}
	return out, nil
}

func readOptions(file string, left *int) ([]string, error) {
	if *left--; *left < 0 {
		return nil, errorf("Too many options files: '%s'", file)
	}
	text, err := userfile.Read(file)
	if err != nil {
		return nil, errorf("Could not open input file '%s'", file)
	}
	return expand(Fields(string(text)), left)
}

// Fields splits text into words as a shell does: at blanks, with quotes and
// backslashes. The end of the text closes what is open.
func Fields(text string) []string {
	words, _ := Words(text)
	return words
}

// Words is Fields that also reports whether all quotes were closed, and no backslash stood last.
func Words(text string) (words []string, closed bool) {
	var out []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case strings.ContainsRune(" \t\r\n\f\v", r):
			if inWord {
				out = append(out, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		out = append(out, word.String())
	}
	return out, quote == 0 && !escaped
}

// splitList splits a value at commas that are not escaped, quoted or inside
// of brackets.
func splitList(s string) []string {
	var out []string
	var word strings.Builder
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && s[i+1] == ',':
			word.WriteByte(',')
			i++
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth <= 0:
			out = append(out, word.String())
			word.Reset()
			continue
		}
		word.WriteByte(c)
	}
	return append(out, word.String())
}

// parser is a command line being read.
type parser struct {
	c    *Command
	args []string
	// forward and forwardLink say what happens to unknown options.
	forward, forwardLink bool
	lang                 string // of -x
}

// Parse reads a command line without the program's name. The error is an
// *Error with nvcc's own wording.
func Parse(args []string) (*Command, error) {
	args, err := Expand(args)
	if err != nil {
		return nil, err
	}
	p := &parser{c: &Command{}, args: args}
	for _, a := range args {
		switch strings.TrimLeft(a, "-") {
		case "forward-unknown-to-host-compiler", "forward-unknown-opts":
			p.forward = true
		case "forward-unknown-to-host-linker":
			p.forwardLink = true
		}
	}
	for len(p.args) > 0 {
		if err := p.word(); err != nil {
			return nil, err
		}
	}
	return p.c, p.finish()
}

// next takes a word off the line.
func (p *parser) next() string {
	w := p.args[0]
	p.args = p.args[1:]
	return w
}

func (p *parser) word() error {
	w := p.next()
	switch {
	case w == "":
		return nil
	case w[0] != '-' || w == "-":
		return p.input(w)
	}
	name, val, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-"), "=")
	if o := byName[name]; o != nil {
		return p.option(o, name, val, has)
	}
	if !strings.HasPrefix(w, "--") {
		for _, short := range attached {
			if rest, ok := strings.CutPrefix(w[1:], short); ok && rest != "" && (isNumber(rest) || !numeric[short]) {
				return p.set(byName[short], rest)
			}
		}
	}
	return p.unknown(w)
}

// option applies an option that the table has.
func (p *parser) option(o *option, name, val string, has bool) error {
	switch {
	case o.kind == flag && has && val != "true" && val != "false":
		return errorf("'%s': option '%s' takes no value", val, name)
	case o.kind == flag && val == "false":
		return nil
	case o.kind == flag || o.kind == maybe:
		return p.set(o, "")
	case has:
		return p.set(o, val)
	case len(p.args) == 0:
		if o.short == "L" { // Makefiles with an empty variable
			return nil
		}
		return errorf("Missing argument for option '%s'", o.long)
	}
	return p.set(o, p.next())
}

// set hands an option its value.
func (p *parser) set(o *option, val string) error {
	if o.long == "x" {
		return p.language(val)
	}
	if o.kind != list || strings.HasPrefix(val, "-Wl,") {
		return o.set(p.c, val)
	}
	for _, v := range splitList(val) {
		for _, w := range listWords(o, v) {
			if err := o.set(p.c, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// listWords splits the value of a pass-on option further at blanks: people
// write -Xcompiler "-Wall -O3".
func listWords(o *option, v string) []string {
	if strings.HasPrefix(o.short, "X") {
		return Fields(v)
	}
	return []string{v}
}

func (p *parser) language(v string) error {
	switch v {
	case "cu", "c", "c++", "none":
		p.lang = v
		return nil
	}
	return errorf("Value '%s' is not defined for option 'x'", v)
}

func (p *parser) input(path string) error {
	in := Input{Path: path, Lang: LangOf(path)}
	switch p.lang {
	case "cu":
		in.Lang = CUDA
	case "c++":
		in.Lang = CXX
	case "c":
		in.Lang = C
	}
	p.c.LinkLine = append(p.c.LinkLine, LinkWord{Input: len(p.c.Inputs)})
	p.c.Inputs = append(p.c.Inputs, in)
	return nil
}

// linkOptions are options of host compilers for their linker that people hand
// to nvcc under --forward-unknown-to-host-compiler.
var linkOptions = []string{"-Wl,", "-rdynamic", "-static-lib", "-no-pie", "-pie", "-nostdlib", "-fuse-ld="}

func (p *parser) unknown(w string) error {
	switch {
	case p.forward && !hasAnyPrefix(w, linkOptions):
		p.c.HostCompiler = append(p.c.HostCompiler, w)
	case p.forward || p.forwardLink:
		p.c.LinkLine = append(p.c.LinkLine, LinkWord{-1, w})
	default:
		return errorf("Unknown option '%s'", w)
	}
	return nil
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// finish checks what only the whole line shows.
func (p *parser) finish() error {
	c := p.c
	if c.Info != "" {
		return nil
	}
	if c.Phase == Compile && len(c.sources()) > 1 && c.Output != "" {
		return errorf("A single input file is required for a non-link phase when an outputfile is specified")
	}
	return nil
}

// sources are the inputs that are compiled.
func (c *Command) sources() []Input {
	var out []Input
	for _, in := range c.Inputs {
		if in.Lang != NoLang {
			out = append(out, in)
		}
	}
	return out
}
