package trace

import "fmt"

// LaneRanges writes the lanes of a mask as "3" and "0-7", in order.
func LaneRanges(mask uint32) []string {
	var list []string
	for l := 0; l < 32; l++ {
		if mask>>l&1 == 0 {
			continue
		}
		first := l
		for l < 31 && mask>>(l+1)&1 != 0 {
			l++
		}
		if first == l {
			list = append(list, fmt.Sprint(l))
		} else {
			list = append(list, fmt.Sprintf("%d-%d", first, l))
		}
	}
	return list
}
