package clang

import (
	"regexp"
	"strings"
)

// missingHeader is clang's message for a header that it cannot find.
var missingHeader = regexp.MustCompile(`fatal error: '([^']+)' file not found`)

// headerHints say where headers are to be had that neither we nor the
// program bring, by the beginning of their names.
var headerHints = []struct{ prefix, hint string }{
	{"cub/", toolkitHint}, {"thrust/", toolkitHint}, {"cuda/", toolkitHint}, {"nv/", toolkitHint},
	{"helper_", "it is in the folder Common of the CUDA samples: add -I with its path"},
}

const toolkitHint = "it comes with CUDA toolkits: name one by --cuda-path or CUDA_HOME"

// refused is the error of a compilation that failed with these diagnostics.
func refused(source, stage string, err error, diag string) error {
	if isShort(err) {
		return err
	}
	if m := missingHeader.FindStringSubmatch(diag); m != nil {
		for _, h := range headerHints {
			if strings.HasPrefix(m[1], h.prefix) {
				diag = strings.TrimRight(diag, "\n") + "\nnote: warpgrind does not bring " + m[1] + "; " + h.hint + "\n"
				break
			}
		}
	}
	return &CompileError{Source: source, Stage: stage, Text: diag}
}
