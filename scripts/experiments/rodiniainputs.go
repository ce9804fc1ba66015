package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// This file makes inputs of Rodinia's programs, small ones in the formats of its data
// files. A file that the user has is left as it is.

// inputFile writes a file below the folder of data.
func inputFile(data, name string, write func(b *strings.Builder, r *rand.Rand)) error {
	path := filepath.Join(data, name)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	var b strings.Builder
	write(&b, rand.New(rand.NewPCG(1, 2)))
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// graphFile is a graph: nodes with their first edge and degree, a source, and the edges.
func graphFile(data string) error {
	return inputFile(data, "bfs/graph4096.txt", func(b *strings.Builder, r *rand.Rand) {
		const nodes = 4096
		var edges []int
		fmt.Fprintln(b, nodes)
		for range nodes {
			n := 1 + r.IntN(8)
			fmt.Fprintln(b, len(edges), n)
			for range n {
				edges = append(edges, r.IntN(nodes))
			}
		}
		fmt.Fprintf(b, "\n0\n\n%d\n", len(edges))
		for _, to := range edges {
			fmt.Fprintln(b, to, 1)
		}
	})
}

// treeFiles are keys, and queries of keys and of ranges.
func treeFiles(data string) error {
	err := inputFile(data, "b+tree/few.txt", func(b *strings.Builder, _ *rand.Rand) {
		const keys = 10000
		fmt.Fprintln(b, keys)
		for i := range keys {
			fmt.Fprintln(b, i)
		}
	})
	if err != nil {
		return err
	}
	return inputFile(data, "b+tree/few_commands.txt", func(b *strings.Builder, _ *rand.Rand) { b.WriteString("j 100 50\nk 100\n") })
}

// meshFile is a mesh of cells, each with its area and four neighbors with their normals.
func meshFile(data string) error {
	return inputFile(data, "cfd/small.domn", func(b *strings.Builder, r *rand.Rand) {
		const cells = 192
		fmt.Fprintln(b, cells)
		for range cells {
			fmt.Fprint(b, "1.0")
			for range 4 {
				fmt.Fprintf(b, " %d %g %g %g", 1+r.IntN(cells), r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5)
			}
			fmt.Fprintln(b)
		}
	})
}

// noise writes n random ones, below a limit.
func noise(b *strings.Builder, r *rand.Rand, n, below int) {
	for range n {
		b.WriteByte(byte(r.IntN(below)))
	}
}

func imageFile(data string) error {
	return inputFile(data, "dwt2d/small.bmp", func(b *strings.Builder, r *rand.Rand) { noise(b, r, 192*192*3, 256) })
}

func bytesFile(data string) error {
	return inputFile(data, "huffman/small.in", func(b *strings.Builder, r *rand.Rand) { noise(b, r, 64<<10, 60) })
}

// gridFiles are the temperatures and the power of the cells of a chip, one a line.
func gridFiles(dir, shape string, cells int) func(string) error {
	return func(data string) error {
		for name, most := range map[string]float64{"temp_": 340, "power_": 0.001} {
			err := inputFile(data, filepath.Join(dir, name+shape), func(b *strings.Builder, r *rand.Rand) {
				for range cells {
					fmt.Fprintf(b, "%f\n", most*(0.9+0.1*r.Float64()))
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// cellFiles are the state and the parameters of a heart's cell.
func cellFiles(data string) error {
	for name, n := range map[string]int{"myocyte/y.txt": 91, "myocyte/params.txt": 16} {
		err := inputFile(data, name, func(b *strings.Builder, r *rand.Rand) {
			for range n {
				fmt.Fprintf(b, "%f\n", 0.1+0.1*r.Float64())
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stormFiles are records of hurricanes, with the place in columns 28 to 37.
func stormFiles(data string) error {
	err := inputFile(data, "nn/few.db", func(b *strings.Builder, r *rand.Rand) {
		for range 2048 {
			fmt.Fprintf(b, "%-28s%5.1f%5.1f%10s\n", "1950 12 30 18 17 ANDREW", 70*r.Float64(), 300*r.Float64(), "10  10")
		}
	})
	if err != nil {
		return err
	}
	return inputFile(data, "nn/few", func(b *strings.Builder, _ *rand.Rand) { b.WriteString("../../data/nn/few.db\n") })
}

func picture(data string) error {
	return inputFile(data, "srad/image.pgm", func(b *strings.Builder, r *rand.Rand) {
		const rows, columns = 458, 502
		fmt.Fprintf(b, "P2\n%d %d\n255\n", columns, rows)
		for range rows * columns {
			fmt.Fprintln(b, 1+r.IntN(255))
		}
	})
}

// featureFile has a number and 34 features a line.
func featureFile(data string) error {
	return inputFile(data, "kmeans/few.txt", func(b *strings.Builder, r *rand.Rand) {
		for i := range 1000 {
			fmt.Fprint(b, i)
			for range 34 {
				fmt.Fprintf(b, " %d", r.IntN(100))
			}
			fmt.Fprintln(b)
		}
	})
}
