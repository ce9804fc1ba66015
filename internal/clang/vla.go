package clang

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/clang/cutext"
)

// Arrays of variable length with an initializer
//
// GCC, nvcc's host compiler, lets "int a[2][n] = {{1}};" pass (it is an extension); clang
// does not. Which arrays have a variable length only the compiler knows, so it is asked: where
// it rejects initializers, they become assignments,
//
//	int a[2][n]; __builtin_memset(a, 0, sizeof a); a[0][0] = 1;
//
// and the source is compiled again. Lines stay where they are.

// vlaError finds the arrays that clang rejects; the place is that of the first length.
var vlaError = regexp.MustCompile(`(?m)^(.+):(\d+):(\d+): error: variable-sized object may not be initialized$`)

// vlaRounds bounds how often a source is compiled for its arrays: clang ends after some errors.
const vlaRounds = 20

// repairArrays notes the arrays that clang rejected. It reports false where there are none, or
// where the last round had the same.
func (j *job) repairArrays(err error) bool {
	var rejected *CompileError
	if !errors.As(err, &rejected) || len(j.arrays) >= vlaRounds {
		return false
	}
	round := map[string][]cutext.Place{}
	for _, m := range vlaError.FindAllStringSubmatch(rejected.Text, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		path, err := filepath.Abs(m[1])
		if err == nil {
			round[path] = append(round[path], cutext.Place{Line: line, Col: col})
		}
	}
	if n := len(j.arrays); len(round) == 0 || n > 0 && fmt.Sprint(j.arrays[n-1]) == fmt.Sprint(round) {
		return false
	}
	j.arrays = append(j.arrays, round)
	return true
}

// assignArrays makes the changes to a file that the rounds so far asked for.
func (j *job) assignArrays(path string, text []byte) []byte {
	for _, round := range j.arrays {
		if len(round[path]) == 0 {
			continue
		}
		text = cutext.AssignArrays(text, round[path])
	}
	return text
}
