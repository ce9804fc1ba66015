// Package guard makes the patches that let a thread make an access only where it is valid: conditions on indices and
// pointers (guard.go, pointer.go, part.go), from what the program compares elsewhere and what it is told of sizes
// (bounds.go, compared.go, scope.go), and indices that are computed in more bits (widen.go).
package guard
