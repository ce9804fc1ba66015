package judge

import (
	"encoding/json"
	"math"
	"strconv"
)

// float is a number that may be none: JSON has neither NaN nor infinities, which are strings.
type float float64

// MarshalJSON writes a number, or "nan", "inf" and "-inf".
func (f float) MarshalJSON() ([]byte, error) {
	v := float64(f)
	switch {
	case math.IsNaN(v):
		return []byte(`"nan"`), nil
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *float) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		v, err := strconv.ParseFloat(s, 64)
		*f = float(v)
		return err
	}
	return json.Unmarshal(b, (*float64)(f))
}
