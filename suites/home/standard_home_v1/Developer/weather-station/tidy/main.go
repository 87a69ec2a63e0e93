// Command tidy squeezes the daily files of a month into one.
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: tidy FOLDER 2025-11")
		os.Exit(2)
	}
	days, err := filepath.Glob(filepath.Join(os.Args[1], os.Args[2]+"-*.csv"))
	if err != nil || len(days) == 0 {
		fmt.Fprintln(os.Stderr, "no days found")
		os.Exit(1)
	}
	sort.Strings(days)
	out, err := os.Create(filepath.Join(os.Args[1], os.Args[2]+".csv.gz"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer out.Close()
	squeezed := gzip.NewWriter(out)
	defer squeezed.Close()
	for _, day := range days {
		copyLines(squeezed, day)
	}
}

func copyLines(out *gzip.Writer, path string) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	name := filepath.Base(path)[:10]
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fmt.Fprintf(out, "%s,%s\n", name, lines.Text())
	}
}
