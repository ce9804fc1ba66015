// Package nvrtc compiles code that has no program around it: what a program gives to NVRTC while it runs (Options.Compile), and the
// kernels and references of the judge (Compiler). Messages have the form of NVRTC's log, since programs read them, and the PTX carries
// the source as comments, so that reports can show what was never in a file.
package nvrtc
