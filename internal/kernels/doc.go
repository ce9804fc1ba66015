// Package kernels calls kernels without a program around them: buffers are made and compared here, for the judge and for
// examples that confirm a finding. With a HostProgram the launches come from host code that is not trusted, in a process of its own;
// hostflow.go follows where what it gives the device comes from.
package kernels
