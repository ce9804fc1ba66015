package clang

import "strings"

// missing is the header that clang's diagnostics name as not found, "" for none.
func missing(diag string) string {
	for _, m := range ParseMessages(diag, "") {
		if m.Header != "" {
			return m.Header
		}
	}
	return ""
}

// headerHint says where a header is to be had that neither we nor the program bring; "" where that is
// not known.
func headerHint(name, libraries string) string {
	switch {
	case isLibraryHeader(name) && libraries != "":
		return "the header libraries in " + libraries + " do not have " + name + ": 'warpgrind setup cccl' fetches others"
	case isLibraryHeader(name):
		return name + " is one of NVIDIA's Thrust, CUB and libcu++: 'warpgrind setup cccl' fetches them, --cuda-path names a CUDA toolkit that has them"
	case strings.HasPrefix(name, "helper_"):
		return name + " is in the folder Common of the CUDA samples: add -I with its path"
	}
	return ""
}

// refused is the error of a compilation that failed with these diagnostics.
func refused(source, stage string, err error, diag string) error {
	if isShort(err) {
		return err
	}
	return &CompileError{Source: source, Stage: stage, Text: diag, Missing: missing(diag)}
}

// explained adds to the text of an error where the header is to be had that is missing.
func (e *CompileError) explained(libraries string) *CompileError {
	hint := headerHint(e.Missing, libraries)
	if hint == "" {
		return e
	}
	with := *e
	with.Text = strings.TrimRight(e.Text, "\n") + "\nnote: " + hint + "\n"
	return &with
}
