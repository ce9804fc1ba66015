// Package intrinsics has the tests of the numeric functions that the CUDA headers
// declare. A program that calls each of them with tables of inputs, on the device
// and, where they exist there, on the host, is generated from the declarations
// themselves; its results are compared with models that are written down here
// and share nothing with the headers or the engine. A function without a model
// fails the test.
package intrinsics
