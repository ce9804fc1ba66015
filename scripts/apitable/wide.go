package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

const (
	// blasHeader declares the functions with 32-bit sizes.
	blasHeader = shim + "include/cublas_v2.h"
	// wideHeader declares those with 64-bit sizes; wideFile lists them for libraries/cublas/wide.cpp.
	wideHeader = shim + "include/cublas_64.h"
	wideFile   = shim + "libraries/cublas/wide.inc"
)

// sizeType is the type of a size in a declaration; a stride is a long long int.
var sizeType = regexp.MustCompile(`(long long )?\bint\b`)

// wideFunctions are the texts of wideHeader and wideFile.
func wideFunctions(list []function) (header, names string, err error) {
	text, err := os.ReadFile(blasHeader)
	if err != nil {
		return "", "", err
	}
	const made = " by go run ./scripts/apitable; do not edit."
	var h, n, older strings.Builder
	h.WriteString("/* cuBLAS with 64-bit sizes. Made from cublas_v2.h" + made + " Part of that. */\n#include <stdint.h>\n\n")
	n.WriteString("// Made from " + tableFile + made + "\n")
	for _, f := range list {
		if !f.wide {
			continue
		}
		declared := regexp.MustCompile(`(?m)^cublasStatus_t ` + f.name + `(\([^;]*\));`).FindSubmatch(text)
		if declared == nil {
			return "", "", fmt.Errorf("%s has no declaration of %s", blasHeader, f.name)
		}
		params := sizeType.ReplaceAllStringFunc(strings.Join(strings.Fields(string(declared[1])), " "), func(t string) string {
			if t == "int" {
				return "int64_t"
			}
			return t
		})
		fmt.Fprintf(&h, "cublasStatus_t %s_64%s;\n", f.name, params)
		fmt.Fprintf(&n, "WIDE(%s)\n", f.name)
		if old, ok := strings.CutSuffix(f.name, "_v2"); ok {
			fmt.Fprintf(&older, "#define %s_64 %s_64\n", old, f.name)
		}
	}
	h.WriteString("\n#ifndef CUBLAS_H_\n" + older.String() + "#endif\n")
	return h.String(), n.String(), nil
}
