package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/scripts/dated"
)

const (
	librariesStart = "<!-- libraries -->\n"
	librariesEnd   = "<!-- end of libraries -->\n"
	// librariesFile has a line "PROGRAM | words" for programs whose result or findings need some.
	librariesFile = "scripts/samples/libraries.txt"
)

// caller is what came of one program that calls CUDA's libraries.
type caller struct {
	// Refused is why the program was not built.
	Refused string `json:"refused,omitempty"`
	// Code is warpgrind's exit code, Output what the program and warpgrind wrote.
	Code   int    `json:"code"`
	Output string `json:"output,omitempty"`
}

// linked are the libraries and the folder of headers that the CMake files of a group name.
var linked = map[string]struct{ include, libraries string }{
	"cuBLAS":   {"cuBLAS/utils", "-lcublas"},
	"cuBLASLt": {"cuBLASLt/Common", "-lcublasLt -lcublas"},
	"cuFFT":    {"cuFFT/utils", "-lcufft"},
	"cuRAND":   {"cuRAND/utils", "-lcurand"},
	"cuSOLVER": {"cuSOLVER/utils", "-lcusolver -lcublas -lcusparse"},
	"cuSPARSE": {"cuSPARSE", "-lcusparse -lcublas"},
}

// runLibraries builds and runs the programs of NVIDIA/CUDALibrarySamples and writes their table.
func runLibraries(folder, only, results, page, warpgrind string, limit time.Duration, groups []string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if warpgrind, err = filepath.Abs(warpgrind); err != nil {
		return err
	}
	done := map[string]*caller{}
	if b, err := os.ReadFile(results); err == nil {
		if err := json.Unmarshal(b, &done); err != nil {
			return err
		}
	}
	for _, group := range groups {
		for name, sources := range programsOf(folder, group) {
			if !match.MatchString(name) || done[name] != nil && only == "." {
				continue
			}
			if done[name], err = call(folder, group, warpgrind, sources, limit); err != nil {
				return err
			}
			fmt.Printf("%s: %d %s\n", name, done[name].Code, done[name].Refused)
			b, err := json.MarshalIndent(done, "", " ")
			if err == nil {
				err = os.WriteFile(results, b, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	if page == "" {
		return nil
	}
	return writeLibraries(folder, page, done)
}

// programsOf are the programs of a group, by name, with their sources: each source is one, but in the
// folders that have a main of their own.
func programsOf(folder, group string) map[string][]string {
	out := map[string][]string{}
	for _, depth := range []string{"*", "*/*"} {
		for _, pattern := range []string{"*.cu", "*.cpp", "*.c"} {
			files, _ := filepath.Glob(filepath.Join(folder, group, depth, pattern))
			for _, f := range files {
				name, err := filepath.Rel(folder, f)
				if err != nil || strings.Contains(name, "utils") || strings.Contains(name, "Common") {
					continue
				}
				if dir := filepath.Dir(name); group == "cuBLASLt" {
					name = dir
				} else {
					name = strings.TrimSuffix(name, filepath.Ext(name))
				}
				out[name] = append(out[name], f)
			}
		}
	}
	return out
}

// call builds a program by warpgrind cc and runs it.
func call(folder, group, warpgrind string, sources []string, limit time.Duration) (*caller, error) {
	dir, err := os.MkdirTemp("", "libraries-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	args := []string{"cc", "-std=c++17", "-I" + filepath.Join(folder, linked[group].include), "-o", exe}
	if group == "cuFFT" { // its CMake files set the language
		args = append(args, "-x", "cu")
	}
	if group == "cuBLASLt" {
		sources = append(slices.Clone(sources), filepath.Join(folder, "cuBLASLt/Common/helpers.cpp"))
	}
	args = append(append(args, sources...), strings.Fields(linked[group].libraries)...)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, warpgrind, args...).CombinedOutput(); err != nil {
		return &caller{Refused: reason(string(out))}, nil
	}
	c := exec.Command(warpgrind, "run", "--timeout", limit.String(), "--arch", "sm_90", exe)
	var log bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &log, &log
	err = c.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return &caller{Code: c.ProcessState.ExitCode(), Output: log.String()}, nil
}

var (
	apiCall  = regexp.MustCompile(`\b((?:cublas|cusparse|cusolver|cufft|curand)[A-Z]\w*)\s*\(`)
	comments = regexp.MustCompile(`(?s)/\*.*?\*/`)
	words    = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	number   = regexp.MustCompile(`-?\d+(?:\.\d+)?(?:e[-+]\d+)?`)
	index    = regexp.MustCompile(`\[\d+\]`)
	// reported is where a report begins.
	reported = regexp.MustCompile(`(?m)^(checked: |(error|warning|info)\[)`)
	// housekeeping are calls that compute nothing.
	housekeeping = regexp.MustCompile(`(Create|Destroy|SetStream|GetStream|SetAttribute|GetErrorString|GetErrorName|bufferSize|_bufferSizeExt)|Info$|Descr$|StatusString$`)
)

// called are the functions in sources that compute something.
func called(sources []string) (names []string) {
	for _, f := range sources {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, m := range apiCall.FindAllSubmatch(text, -1) {
			if n := string(m[1]); !housekeeping.MatchString(n) && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	return names
}

// numbersIn are the numbers of a text, without those that are part of names.
func numbersIn(text string) (out []string) {
	text = index.ReplaceAllString(text, " ")
	text = words.ReplaceAllString(strings.NewReplacer("+-", " -", "+ -", " -", "+ ", " ", "+", " ").Replace(text), " ")
	return number.FindAllString(text, -1)
}

// stated are the numbers of the last comment in a source that has a result: "C = | 19.0 | 22.0 |" or "result = 4".
func stated(source string) (out []string) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil
	}
	var results []string
	for _, c := range comments.FindAllString(string(text), -1) {
		if !strings.Contains(c, "=") || !strings.Contains(c, "|") && !strings.Contains(strings.ToLower(c), "result") {
			continue
		}
		if n := numbersIn(c); len(n) > 0 && !strings.Contains(c, "step") {
			results = n
		}
	}
	return results
}

// agree says whether what a program printed last are the numbers that its source states, in any order, as
// exactly as both are written.
func agree(stated []string, output string) bool {
	if at := reported.FindStringIndex(output); at != nil {
		output = output[:at[0]]
	}
	printed := numbersIn(output)
	if len(stated) == 0 || len(printed) < len(stated) {
		return false
	}
	printed = printed[len(printed)-len(stated):]
	for _, s := range stated {
		want, _ := strconv.ParseFloat(s, 64)
		at := slices.IndexFunc(printed, func(p string) bool {
			got, err := strconv.ParseFloat(p, 64)
			return err == nil && max(got-want, want-got) <= 0.51*(unit(s)+unit(p))
		})
		if at < 0 {
			return false
		}
		printed = slices.Delete(printed, at, at+1)
	}
	return true
}

// unit is what the last digit of a number is worth.
func unit(n string) float64 {
	_, decimals, _ := strings.Cut(n, ".")
	u := 1.0
	for range decimals {
		u /= 10
	}
	return u
}

var findings = regexp.MustCompile(`accesses? checked:\s+(\d+ findings?(?: \([^)]*\))?)`)

// row is a program's line, and whether its result has been compared and found right.
func (c *caller) row(name string, sources []string, note string) (text string, right bool) {
	result, builds := "", "yes"
	switch s := stated(sources[0]); {
	case c.Refused != "":
		builds, result = "no", "not run"
		note = strings.Trim(c.Refused+"; "+note, "; ")
	case c.Code == exitUnsupported:
		result = "refused"
	case strings.Contains(c.Output, "PASSED"):
		result, right = "its own check passes", true
	case agree(s, c.Output):
		result, right = fmt.Sprintf("as its source states: %d numbers", len(s)), true
	default:
		// A note that begins so says how the result was compared.
		how, _, _ := strings.Cut(note, ":")
		right = how == "compared"
		result = "see the notes"
	}
	found := ""
	if m := findings.FindStringSubmatch(c.Output); m != nil {
		found = m[1]
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n", name, strings.Join(called(sources), ", "), builds, result, found, strings.ReplaceAll(note, "|", `\|`)), right
}

func writeLibraries(folder, page string, done map[string]*caller) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), librariesStart)
	_, after, closed := strings.Cut(rest, librariesEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks %q and %q", page, librariesStart, librariesEnd)
	}
	notes, err := judgements(librariesFile)
	if err != nil {
		return err
	}
	sources := map[string][]string{}
	for group := range linked {
		maps.Copy(sources, programsOf(folder, group))
	}
	var rows strings.Builder
	built, right := 0, 0
	for _, name := range slices.Sorted(maps.Keys(done)) {
		if len(sources[name]) == 0 {
			return fmt.Errorf("%s is not in %s", name, folder)
		}
		row, ok := done[name].row(name, sources[name], notes[name])
		rows.WriteString(row)
		if done[name].Refused == "" {
			built++
		}
		if ok {
			right++
		}
	}
	table := fmt.Sprintf("Of %d programs %d build; the results of %d were compared and are right.\n\n", len(done), built, right) +
		"| program | functions | builds | result | findings | notes |\n| --- | --- | --- | --- | --- | --- |\n" + rows.String()
	return os.WriteFile(page, []byte(dated.Stamp(before+librariesStart+table+librariesEnd+after)), 0o666)
}
