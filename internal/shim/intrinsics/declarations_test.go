package intrinsics

import (
	"regexp"
	"slices"
	"strings"
)

// function is a function of the headers, as it is declared.
type function struct {
	name   string
	result string
	params []string
	// device and host are the sides that have it.
	device, host bool
}

// signature is the function's name and the types of its parameters.
func (f function) signature() string { return f.name + "(" + strings.Join(f.params, ", ") + ")" }

// numeric are the headers whose functions are compared: those that compute a
// value of their arguments alone.
var numeric = regexp.MustCompile(`/(__clang_cuda_device_functions|__clang_cuda_math|warpgrind/(math|hostmath|misc|dpx|minmax|small_float_type|e8m0|warp)|` +
	`cuda_fp16|cuda_bf16|cuda_fp8|cuda_fp6|cuda_fp4|cuComplex)\.h$`)

var (
	lineMarker = regexp.MustCompile(`^# \d+ "([^"]*)"`)
	token      = regexp.MustCompile(`[A-Za-z_]\w*|\d[\w.]*|::|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S`)
)

// declarations reads the functions out of preprocessed text.
func declarations(text string) []function {
	var out []function
	found := map[string]int{}
	for _, d := range topLevel(text) {
		f, ok := parseFunction(d)
		if !ok {
			continue
		}
		key := f.signature()
		if i, known := found[key]; known {
			out[i].device, out[i].host = out[i].device || f.device, out[i].host || f.host
			continue
		}
		found[key] = len(out)
		out = append(out, f)
	}
	return out
}

// topLevel splits the numeric headers' text into the declarations outside of
// functions and classes: the tokens before each body or semicolon.
func topLevel(text string) [][]string {
	var out [][]string
	var current []string
	depth, open, wanted := 0, []bool(nil), false
	for _, line := range strings.Split(text, "\n") {
		if m := lineMarker.FindStringSubmatch(line); m != nil {
			wanted = numeric.MatchString(m[1])
			continue
		}
		if !wanted || strings.HasPrefix(line, "#") {
			continue
		}
		for _, t := range token.FindAllString(line, -1) {
			switch {
			case t == "{" && depth == 0:
				// A namespace or extern "C" is no body.
				scope := slices.Contains(current, "namespace") || len(current) == 2 && current[0] == "extern"
				if !scope {
					out, depth = append(out, current), 1
				}
				open, current = append(open, scope), nil
			case t == "{":
				depth++
			case t == "}" && depth > 0:
				if depth--; depth == 0 {
					open = open[:len(open)-1]
				}
			case t == "}":
				if len(open) > 0 {
					open = open[:len(open)-1]
				}
				current = nil
			case depth > 0:
			case t == ";":
				out, current = append(out, current), nil
			default:
				current = append(current, t)
			}
		}
	}
	return out
}

// words that say nothing of a type.
var storage = []string{"static", "inline", "__inline__", "__inline", "extern", "constexpr", "const", "enum", "struct", "noexcept"}

// parseFunction reads one declaration. Templates, operators and what has a
// pointer or reference are left out, other than the references to const.
func parseFunction(tokens []string) (function, bool) {
	var f function
	tokens, f.device, f.host = withoutAttributes(tokens)
	open := slices.Index(tokens, "(")
	if open < 1 || slices.Contains(tokens, "template") || slices.Contains(tokens, "operator") || slices.Contains(tokens, "typedef") {
		return f, false
	}
	f.name = tokens[open-1]
	f.result = strings.Join(slices.DeleteFunc(slices.Clone(tokens[:open-1]), isStorage), " ")
	closing := slices.Index(tokens, ")")
	if closing < 0 || !(f.device || f.host) {
		return f, false
	}
	for _, p := range split(tokens[open+1 : closing]) {
		f.params = append(f.params, paramType(p))
	}
	if len(f.params) == 1 && f.params[0] == "void" {
		f.params = nil
	}
	return f, true
}

func isStorage(t string) bool { return slices.Contains(storage, t) }

// withoutAttributes takes the attributes off and reports the sides they name.
func withoutAttributes(tokens []string) (rest []string, device, host bool) {
	for i := 0; i < len(tokens); i++ {
		if tokens[i] != "__attribute__" && tokens[i] != "__attribute" {
			rest = append(rest, tokens[i])
			continue
		}
		depth := 0
		for i++; i < len(tokens); i++ {
			switch tokens[i] {
			case "(":
				depth++
			case ")":
				depth--
			case "device":
				device = true
			case "host":
				host = true
			}
			if depth == 0 {
				break
			}
		}
	}
	return rest, device, host
}

func split(tokens []string) [][]string {
	var out [][]string
	for len(tokens) > 0 {
		i := slices.Index(tokens, ",")
		if i < 0 {
			return append(out, tokens)
		}
		out, tokens = append(out, tokens[:i]), tokens[i+1:]
	}
	return out
}

// builtin are the words that C++'s own types are made of.
var builtin = []string{"unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool", "void"}

// paramType is a parameter's type in one spelling, without its name.
func paramType(tokens []string) string {
	if i := slices.Index(tokens, "="); i >= 0 {
		tokens = tokens[:i]
	}
	constant := slices.Contains(tokens, "const")
	tokens = slices.DeleteFunc(slices.Clone(tokens), isStorage)
	if n := len(tokens); n > 1 && !slices.Contains(builtin, tokens[n-1]) && tokens[n-1] != "*" && tokens[n-1] != "&" {
		tokens = tokens[:n-1]
	}
	if n := len(tokens); constant && n > 1 && tokens[n-1] == "&" {
		tokens = tokens[:n-1]
	}
	return spelling(strings.Join(tokens, " "))
}

// spelling is one spelling for each of C++'s integer types.
func spelling(t string) string {
	switch t {
	case "unsigned":
		return "unsigned int"
	case "long long int":
		return "long long"
	case "unsigned long long int":
		return "unsigned long long"
	case "short int":
		return "short"
	case "unsigned short int":
		return "unsigned short"
	}
	return t
}
