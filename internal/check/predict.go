package check

import "fmt"

// Prediction is how much is done to find races that the order of a run hid.
type Prediction uint8

// Predictions. PredictOn spends a part of the run's work on it, PredictDeep much more than the run takes.
const (
	PredictOff Prediction = iota
	PredictOn
	PredictDeep
)

var predictionNames = [...]string{"off", "on", "deep"}

func (p Prediction) String() string { return predictionNames[p] }

// ParsePrediction reads what --predict takes; "" is the default, on.
func ParsePrediction(s string) (Prediction, error) {
	if s == "" {
		return PredictOn, nil
	}
	for i, n := range predictionNames {
		if n == s {
			return Prediction(i), nil
		}
	}
	return 0, fmt.Errorf("unknown --predict %q: want off, on or deep", s)
}
