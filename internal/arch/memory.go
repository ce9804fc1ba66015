package arch

// memory is the device memory of a product of each capability, in GiB, by NVIDIA's data sheets.
var memory = []struct {
	sm  int
	gib uint64
}{
	{10, 4},    // Tesla C1060, of sm_13
	{20, 6},    // Tesla M2090
	{30, 12},   // Tesla K40, of sm_35
	{50, 8},    // Tesla M10, for each GPU
	{52, 24},   // Tesla M40
	{53, 4},    // Tegra X1
	{60, 16},   // Tesla P100
	{61, 24},   // Tesla P40
	{62, 8},    // Jetson TX2
	{70, 32},   // Tesla V100
	{75, 16},   // T4
	{80, 80},   // A100
	{86, 48},   // A40
	{87, 64},   // Jetson AGX Orin
	{89, 48},   // L40S
	{90, 80},   // H100
	{100, 192}, // B200
	{103, 288}, // B300
	{110, 128}, // Jetson AGX Thor
	{120, 96},  // RTX PRO 6000 Blackwell
	{121, 128}, // GB10
}

// Memory returns the bytes of device memory of a product of the architecture.
func (a *Arch) Memory() uint64 {
	gib := memory[0].gib
	for _, m := range memory {
		if m.sm <= a.SM {
			gib = m.gib
		}
	}
	return gib << 30
}
