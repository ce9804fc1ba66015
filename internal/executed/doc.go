// Package executed collects which basic blocks of the modules of a run were executed, and how often, by the events of a
// trace.Observer. It makes the listing of PTX, the counts of exact and approximate instructions, and the coverage of lines, functions
// and branches of a report.
package executed
