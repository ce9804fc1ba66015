package check

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxRanges bounds what Lanes lists.
const maxRanges = 6

// Lanes writes a mask as "lane 3", "lanes 0-3,7", "16 lanes (0,2,4,6,8,10,...)" or
// "all lanes".
func Lanes(mask uint32) string {
	if mask == ^uint32(0) {
		return "all lanes"
	}
	parts := trace.LaneRanges(mask)
	if len(parts) > maxRanges {
		return fmt.Sprintf("%d lanes (%s,...)", bits.OnesCount32(mask), strings.Join(parts[:maxRanges], ","))
	}
	switch bits.OnesCount32(mask) {
	case 0:
		return "no lane"
	case 1:
		return "lane " + parts[0]
	}
	return "lanes " + strings.Join(parts, ",")
}
