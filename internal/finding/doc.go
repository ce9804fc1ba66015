// Package finding is what rules say: a Rule (its documentation as data), a
// Finding (one defect with its places, a witness and the smallest fix), and the
// Set that merges findings of the same cause in any order to the same result.
package finding
