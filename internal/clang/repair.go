package clang

import (
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/clang/cutext"
)

// What only the compiler knows
//
// GCC, nvcc's host compiler, lets "int a[2][n] = {{1}};" pass (it is an extension), and nvcc
// itself "x.f<N>(y)" and "g<T::type>()" where it depends on a template's parameters that f is a
// template and T::type is a type; clang does neither. Which arrays have a variable length, and which names depend on what, only the
// compiler knows, so it is asked: where it rejects them they become
//
//	int a[2][n]; __builtin_memset(a, 0, sizeof a); a[0][0] = 1;
//	x.template f<N>(y)
//	g<typename T::type>()
//
// and the source is compiled again. Lines stay where they are.

// rejects are places of a file that clang rejects: the first length of arrays, names of
// members, and of types.
type rejects struct{ arrays, members, types []cutext.Place }

// rejection finds them in what clang says.
var rejection = regexp.MustCompile(`(?m)^(.+):(\d+):(\d+): error: (?:(variable-sized object may not be initialized)|(missing 'typename' prior to dependent type name) .*|reference to non-static member function must be called|reference to overloaded function could not be resolved.*|(?:use 'template' keyword to treat '.*' as a|missing 'template' keyword prior to) dependent template name.*)$`)

// repairRounds bounds how often a source is compiled for this: clang ends after some errors.
const repairRounds = 20

// repair notes what clang rejected. It reports false where there is nothing that can be
// repaired, or where the last round had the same.
func (j *job) repair(err error) bool {
	var rejected *CompileError
	if !errors.As(err, &rejected) || len(j.repairs) >= repairRounds {
		return false
	}
	round := map[string]rejects{}
	for _, m := range rejection.FindAllStringSubmatch(rejected.Text, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		path, err := filepath.Abs(m[1])
		if err != nil {
			continue
		}
		r, at := round[path], cutext.Place{Line: line, Col: col}
		if m[4] != "" {
			r.arrays = append(r.arrays, at)
		} else if m[5] != "" {
			r.types = append(r.types, at)
		} else {
			r.members = append(r.members, at)
		}
		round[path] = r
	}
	if n := len(j.repairs); len(round) == 0 || n > 0 && reflect.DeepEqual(j.repairs[n-1], round) {
		return false
	}
	j.repairs = append(j.repairs, round)
	return true
}

// repaired makes the changes to a file that the rounds so far asked for.
func (j *job) repaired(path string, text []byte) []byte {
	for _, round := range j.repairs {
		r := round[path]
		if len(r.arrays) > 0 {
			text = cutext.AssignArrays(text, r.arrays)
		}
		if len(r.members) > 0 {
			text = cutext.NameTemplates(text, r.members)
		}
		if len(r.types) > 0 {
			text = cutext.NameTypes(text, r.types)
		}
	}
	return text
}
