package report

// Environment is what did not work on the machine of a run, so that the run was slower.
type Environment struct {
	Fallbacks []Fallback `json:"fallbacks"`
}

// Fallback is a way that failed and was replaced by another one: Count times, for the Reasons. Way is
// "generated-code" where the interpreter executed kernels, "cache" where results of compilations were
// made again.
type Fallback struct {
	Way     string   `json:"way"`
	Count   int      `json:"count"`
	Reasons []string `json:"reasons"`
}
