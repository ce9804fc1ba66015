package nvcc

// table lists the options in the order of the reference's sections. Both names
// are accepted after one dash and after two.
var table = []option{
	// "Options for Specifying the Compilation Phase"
	{"link", "link", flag, nothing},
	{"lib", "lib", flag, phase(Library)},
	{"device-link", "dlink", flag, deviceLink},
	{"device-c", "dc", flag, deviceObject},
	{"device-w", "dw", flag, phase(Compile)},
	{"cuda", "cuda", flag, phase(Cuda)},
	{"compile", "c", flag, phase(Compile)},
	{"fatbin", "fatbin", flag, phase(Fatbin)},
	{"cubin", "cubin", flag, phase(Cubin)},
	{"ptx", "ptx", flag, phase(PTX)},
	{"preprocess", "E", flag, phase(Preprocess)},
	{"generate-dependencies", "M", flag, depend(false)},
	{"generate-nonsystem-dependencies", "MM", flag, depend(true)},
	{"generate-dependencies-with-compile", "MD", flag, dependWith(false)},
	{"generate-nonsystem-dependencies-with-compile", "MMD", flag, dependWith(true)},
	{"dependency-output", "MF", value, text(func(c *Command) *string { return &c.Depend.File })},
	{"dependency-target-name", "MT", value, words(func(c *Command) *[]string { return &c.Depend.Targets })},
	{"generate-dependency-targets", "MP", flag, yes(func(c *Command) *bool { return &c.Depend.Phony })},
	{"run", "run", flag, yes(func(c *Command) *bool { return &c.Run })},

	// "File and Path Specifications"
	{"output-file", "o", value, text(func(c *Command) *string { return &c.Output })},
	{"output-directory", "odir", value, text(func(c *Command) *string { return &c.OutputDir })},
	{"pre-include", "include", list, prefixed("-include ")},
	{"library", "l", list, linkWord("-l")},
	{"define-macro", "D", value, prefixed("-D")},
	{"undefine-macro", "U", value, prefixed("-U")},
	{"include-path", "I", list, prefixed("-I")},
	{"system-include", "isystem", list, prefixed("-isystem ")},
	{"library-path", "L", list, linkWord("-L")},
	{"compiler-bindir", "ccbin", value, text(func(c *Command) *string { return &c.CCBin })},
	{"allow-unsupported-compiler", "allow-unsupported-compiler", flag, nothing},
	{"archiver-binary", "arbin", value, nothing},
	{"cudart", "cudart", value, setCudart},
	{"cudadevrt", "cudadevrt", value, nothing},
	{"libdevice-directory", "ldir", value, nothing},
	{"target-directory", "target-dir", value, nothing},

	// "Options for Altering Compiler/Linker Behavior"
	{"profile", "pg", flag, yes(func(c *Command) *bool { return &c.Profile })},
	{"debug", "g", flag, nothing},
	{"device-debug", "G", flag, yes(func(c *Command) *bool { return &c.DeviceDebug })},
	{"extensible-whole-program", "ewp", flag, nothing},
	{"no-compress", "no-compress", flag, nothing},
	{"compress-mode", "compress-mode", value, nothing},
	{"compress-all", "compress-all", flag, nothing},
	{"generate-line-info", "lineinfo", flag, nothing},
	{"optimization-info", "opt-info", list, nothing},
	{"optimize", "O", value, text(func(c *Command) *string { return &c.Opt })},
	{"dopt", "dopt", maybe, nothing},
	{"Ofast-compile", "Ofc", value, nothing},
	{"dlink-time-opt", "dlto", flag, nothing},
	{"lto", "lto", flag, nothing},
	{"gen-opt-lto", "gen-opt-lto", flag, nothing},
	{"split-compile", "split-compile", value, nothing},
	{"split-compile-extended", "split-compile-extended", value, nothing},
	{"jump-table-density", "jtd", value, nothing},
	{"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", value, prefixed("-ftemplate-backtrace-limit=")},
	{"ftemplate-depth", "ftemplate-depth", value, prefixed("-ftemplate-depth=")},
	{"no-exceptions", "noeh", flag, yes(func(c *Command) *bool { return &c.NoExceptions })},
	{"shared", "shared", flag, yes(func(c *Command) *bool { return &c.Shared })},
	{"x", "x", value, nothing}, // see parser.language
	{"std", "std", value, text(func(c *Command) *string { return &c.Std })},
	{"no-host-device-initializer-list", "nohdinitlist", flag, nothing},
	{"expt-relaxed-constexpr", "expt-relaxed-constexpr", flag, nothing},
	{"extended-lambda", "extended-lambda", flag, nothing},
	{"expt-extended-lambda", "expt-extended-lambda", flag, nothing},
	{"machine", "m", value, setMachine},
	{"host-linker-script", "hls", value, nothing},
	{"augment-host-linker-script", "aug-hls", flag, nothing},
	{"frandom-seed", "frandom-seed", value, nothing},

	// "Options for Passing Specific Phase Options"
	{"compiler-options", "Xcompiler", list, words(func(c *Command) *[]string { return &c.HostCompiler })},
	{"linker-options", "Xlinker", list, linkWord("-Wl,")},
	{"archive-options", "Xarchive", list, nothing},
	{"ptxas-options", "Xptxas", list, nothing},
	{"nvlink-options", "Xnvlink", list, nothing},
	{"Xcudafe", "Xcudafe", list, nothing},
	{"Xfatbin", "Xfatbin", list, nothing},
	{"Xcicc", "Xcicc", list, nothing},
	{"Xnvvm", "Xnvvm", list, nothing},

	// "Miscellaneous Options for Guiding the Compiler Driver"
	{"forward-unknown-opts", "forward-unknown-opts", flag, nothing}, // see parser.forward
	{"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", flag, nothing},
	{"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", flag, nothing},
	{"dont-use-profile", "noprof", flag, nothing},
	{"threads", "t", value, setThreads},
	{"dryrun", "dryrun", flag, yes(func(c *Command) *bool { return &c.DryRun })},
	{"verbose", "v", flag, yes(func(c *Command) *bool { return &c.Verbose })},
	{"keep", "keep", flag, yes(func(c *Command) *bool { return &c.Keep })},
	{"save-temps", "save-temps", flag, yes(func(c *Command) *bool { return &c.Keep })},
	{"keep-dir", "keep-dir", value, text(func(c *Command) *string { return &c.KeepDir })},
	{"clean-targets", "clean", flag, nothing},
	{"run-args", "run-args", list, setRunArgs},
	{"use-local-env", "use-local-env", flag, nothing},
	{"input-drive-prefix", "idp", value, nothing},
	{"dependency-drive-prefix", "ddp", value, nothing},
	{"drive-prefix", "dp", value, nothing},
	{"no-align-double", "no-align-double", flag, nothing},
	{"no-device-link", "nodlink", flag, nothing},
	{"default-stream", "default-stream", value, setStream},

	// "Options for Steering GPU Code Generation"
	{"gpu-architecture", "arch", value, text(func(c *Command) *string { return &c.Arch })},
	{"gpu-code", "code", list, words(func(c *Command) *[]string { return &c.Codes })},
	{"generate-code", "gencode", value, setGencode},
	{"relocatable-device-code", "rdc", value, setRDC},
	{"entries", "e", list, nothing},
	{"maxrregcount", "maxrregcount", value, nothing},
	{"use_fast_math", "use_fast_math", flag, yes(func(c *Command) *bool { return &c.FastMath })},
	{"use-fast-math", "use-fast-math", flag, yes(func(c *Command) *bool { return &c.FastMath })},
	{"ftz", "ftz", value, truth("ftz", func(c *Command) **bool { return &c.FTZ })},
	{"prec-div", "prec-div", value, truth("prec-div", func(c *Command) **bool { return &c.PrecDiv })},
	{"prec-sqrt", "prec-sqrt", value, truth("prec-sqrt", func(c *Command) **bool { return &c.PrecSqrt })},
	{"fmad", "fmad", value, truth("fmad", func(c *Command) **bool { return &c.FMad })},
	{"extra-device-vectorization", "extra-device-vectorization", flag, nothing},
	{"compile-as-tools-patch", "astoolspatch", flag, nothing},
	{"keep-device-functions", "keep-device-functions", flag, nothing},

	// "Generic Tool Options" and warnings
	{"disable-warnings", "w", flag, yes(func(c *Command) *bool { return &c.NoWarnings })},
	{"source-in-ptx", "src-in-ptx", flag, nothing},
	{"restrict", "restrict", flag, nothing},
	{"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", flag, nothing},
	{"Wno-deprecated-declarations", "Wno-deprecated-declarations", flag, nothing},
	{"Wreorder", "Wreorder", flag, nothing},
	{"Wdefault-stream-launch", "Wdefault-stream-launch", flag, nothing},
	{"Wmissing-launch-bounds", "Wmissing-launch-bounds", flag, nothing},
	{"Wext-lambda-captures-this", "Wext-lambda-captures-this", flag, nothing},
	{"Werror", "Werror", list, setWerror},
	{"display-error-number", "err-no", flag, nothing},
	{"no-display-error-number", "no-err-no", flag, nothing},
	{"diag-error", "diag-error", list, nothing},
	{"diag-suppress", "diag-suppress", list, nothing},
	{"diag-warn", "diag-warn", list, nothing},
	{"brief-diagnostics", "brief-diag", value, nothing},
	{"resource-usage", "res-usage", flag, nothing},
	{"device-stack-protector", "device-stack-protector", value, nothing},
	{"fdevice-time-trace", "fdevice-time-trace", value, nothing},
	{"time", "time", value, nothing},
	{"help", "h", flag, info("help")},
	{"version", "V", flag, info("version")},
	{"list-gpu-code", "code-ls", flag, info("list-gpu-code")},
	{"list-gpu-arch", "arch-ls", flag, info("list-gpu-arch")},

	// warpgrind's own
	{"build", "build", value, setBuild},
	{"frontend", "frontend", value, setFrontend},
	{"tell-unread", "tell-unread", flag, yes(func(c *Command) *bool { return &c.TellUnread })},
	{"cuda-path", "cuda-path", value, text(func(c *Command) *string { return &c.CudaPath })},
	{"cuda-version", "cuda-version", value, setVersion},
	{"print-lib-dir", "print-lib-dir", flag, info("print-lib-dir")},
	{"print-include-dir", "print-include-dir", flag, info("print-include-dir")},
	{"print-cuda-home", "print-cuda-home", flag, info("print-cuda-home")},
}

// byName finds an option by either name.
var byName = func() map[string]*option {
	m := map[string]*option{}
	for i := range table {
		m[table[i].long] = &table[i]
		m[table[i].short] = &table[i]
	}
	return m
}()

// attached are the short options whose value may follow without a blank:
// -Iinclude, -O3, -m64.
var attached = []string{"I", "D", "U", "L", "l", "O", "m", "t"}

// numeric are those of them whose value is a number: -march is none of -m.
var numeric = map[string]bool{"m": true, "t": true}
