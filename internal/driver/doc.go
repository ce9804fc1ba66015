// Package driver has the command lines that compile: nvcc's (Compile), with instrumentation on request, "warpgrind instrument", and
// "warpgrind setup", which builds the runtime library and fetches header libraries.
package driver
