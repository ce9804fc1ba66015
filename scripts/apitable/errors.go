package main

import (
	"fmt"
	"go/format"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// The error codes of the API, and what is made of them.
const (
	errorFile     = shim + "errors.txt"
	runtimeErrors = shim + "include/warpgrind/runtime_errors.h"
	driverErrors  = shim + "include/warpgrind/driver_errors.h"
	errorNames    = shim + "runtime/errors.inc"
	serverCodes   = "internal/host/codes.go"
)

// errorCode is a row of the table; the name is empty for an API that does not have the code.
type errorCode struct {
	number                int
	runtime, driver, text string
}

var errorRow = regexp.MustCompile(`^(\d+) (-|cuda\w+) (-|CUDA_\w+) \| ([^"\\]+)$`)

// parseErrors reads the table of errors.
func parseErrors(text string) ([]errorCode, error) {
	var out []errorCode
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		m := errorRow.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: want NUMBER RUNTIME DRIVER | text: %s", errorFile, i+1, line)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || len(out) > 0 && n <= out[len(out)-1].number {
			return nil, fmt.Errorf("%s:%d: the numbers must rise: %s", errorFile, i+1, line)
		}
		out = append(out, errorCode{n, strings.Trim(m[2], "-"), strings.Trim(m[3], "-"), m[4]})
	}
	return out, nil
}

// errorOutputs are the files made from the table of errors, with their texts.
func errorOutputs() (map[string]string, error) {
	text, err := os.ReadFile(errorFile)
	if err != nil {
		return nil, err
	}
	codes, err := parseErrors(string(text))
	if err != nil {
		return nil, err
	}
	const made = "Made from " + errorFile + " by go run ./scripts/apitable; do not edit."
	runtime := func(c errorCode) string { return c.runtime }
	driver := func(c errorCode) string { return c.driver }
	source, err := format.Source([]byte("// Code generated from " + errorFile + " by go run ./scripts/apitable. DO NOT EDIT.\n\npackage host\n\n" + goCodes(codes)))
	return map[string]string{
		runtimeErrors: "/* " + made + " */\n#pragma once\n\nenum cudaError {\n" + enumerators(codes, runtime) + "};\n",
		driverErrors:  "/* " + made + " */\n#pragma once\n\ntypedef enum cudaError_enum {\n" + enumerators(codes, driver) + "} CUresult;\n",
		errorNames:    "// " + made + "\n" + switchRows(codes),
		serverCodes:   string(source),
	}, err
}

// enumerators are those of one API.
func enumerators(codes []errorCode, name func(errorCode) string) string {
	var lines []string
	for _, c := range codes {
		if name(c) != "" {
			lines = append(lines, fmt.Sprintf("  %s = %d", name(c), c.number))
		}
	}
	return strings.Join(lines, ",\n") + "\n"
}

// switchRows are a macro for each enumerator.
func switchRows(codes []errorCode) string {
	var out strings.Builder
	for _, m := range []string{"RUNTIME_ERROR", "DRIVER_ERROR"} {
		fmt.Fprintf(&out, "#ifndef %s\n#define %[1]s(...)\n#endif\n", m)
	}
	for _, c := range codes {
		if c.runtime != "" {
			fmt.Fprintf(&out, "RUNTIME_ERROR(%s, \"%s\")\n", c.runtime, c.text)
		}
		if c.driver != "" {
			fmt.Fprintf(&out, "DRIVER_ERROR(%s, \"%s\")\n", c.driver, c.text)
		}
	}
	return out.String() + "#undef RUNTIME_ERROR\n#undef DRIVER_ERROR\n"
}

// goCodes are the codes of the runtime API as constants, and their names.
func goCodes(codes []errorCode) string {
	var constants, names strings.Builder
	for _, c := range codes {
		if c.runtime == "" {
			continue
		}
		name := strings.TrimPrefix(c.runtime, "cuda")
		fmt.Fprintf(&constants, "\t%s Code = %d // %s\n", name, c.number, c.text)
		fmt.Fprintf(&names, "\t%s: \"%s\",\n", name, c.runtime)
	}
	return "// The codes of cudaError_t, with their texts.\nconst (\n" + constants.String() + ")\n\n" +
		"// codeNames are the enumerators of cudaError_t.\nvar codeNames = map[Code]string{\n" + names.String() + "}\n"
}
