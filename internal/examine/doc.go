// Package examine checks kernels without running the program: it compiles the device code, reads the launches of the host code, and
// asks the static rules. With Confirm each example that they give is run as a kernel (package kernels), and the finding is then an
// error only if that shows it. Editors' checks of a text that is not saved are here, too.
package examine
