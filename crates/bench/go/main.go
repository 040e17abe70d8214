// Groth16 of gnark over BN254 on a rank-1 constraint system from a file, for `tenfold-bench groth16`.
//
//	groth16 FILE     then, line by line on the standard input: "threads N", "prove", "verify"
//
// Every cell but the constant is an input of gnark's system, so that its solver checks constraints and computes nothing. A line answers each line: CPU
// seconds of the process and seconds of the clock, and after "prove" the bytes of the compressed proof.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bn254"
	"github.com/consensys/gnark/logger"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "groth16:", err)
		os.Exit(1)
	}
}

// system is a file: counts, coefficients, rows of (column, coefficient) for each side of each constraint, values. Numbers are little-endian.
type system struct {
	public, secret int
	r1cs           *cs.R1CS
	values         []fr.Element
}

type reader struct{ bytes []byte }

func (r *reader) u32() int {
	x := binary.LittleEndian.Uint32(r.bytes)
	r.bytes = r.bytes[4:]
	return int(x)
}

func (r *reader) element() fr.Element {
	reversed := slices.Clone(r.bytes[:32])
	slices.Reverse(reversed)
	r.bytes = r.bytes[32:]
	var x fr.Element
	check(x.SetBytesCanonical(reversed))
	return x
}

func (r *reader) elements(count int) []fr.Element {
	list := make([]fr.Element, count)
	for i := range list {
		list[i] = r.element()
	}
	return list
}

func load(path string) system {
	content, err := os.ReadFile(path)
	check(err)
	r := reader{content}
	public, secret, constraints, coefficients := r.u32(), r.u32(), r.u32(), r.u32()
	table := r.elements(coefficients)
	r1cs := cs.NewR1CS(constraints)
	r1cs.AddPublicVariable("1")
	for i := range public {
		r1cs.AddPublicVariable(strconv.Itoa(i))
	}
	for i := range secret {
		r1cs.AddSecretVariable(strconv.Itoa(i))
	}
	kind := r1cs.AddBlueprint(&constraint.BlueprintGenericR1C{})
	side := func() constraint.LinearExpression {
		list := make(constraint.LinearExpression, r.u32())
		for i := range list {
			column, number := r.u32(), r.u32()
			var coefficient constraint.U64
			copy(coefficient[:], table[number][:])
			list[i] = r1cs.MakeTerm(coefficient, column)
		}
		return list
	}
	for range constraints {
		r1cs.AddR1C(constraint.R1C{L: side(), R: side(), O: side()}, kind)
	}
	return system{public, secret, r1cs, r.elements(public + secret)}
}

func (s system) witness() (witness.Witness, witness.Witness) {
	full, err := witness.New(ecc.BN254.ScalarField())
	check(err)
	values := make(chan any)
	go func() {
		defer close(values)
		for _, x := range s.values {
			values <- x
		}
	}()
	check(full.Fill(s.public, s.secret, values))
	public, err := full.Public()
	check(err)
	return full, public
}

func cpu() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timed returns CPU seconds of the process and seconds of the clock.
func timed(run func()) string {
	start, before := time.Now(), cpu()
	run()
	return fmt.Sprintf("%.9f %.9f", (cpu() - before).Seconds(), time.Since(start).Seconds())
}

func main() {
	if len(os.Args) != 2 {
		check(fmt.Errorf("usage: groth16 FILE"))
	}
	logger.Disable()
	s := load(os.Args[1])
	pk, vk, err := groth16.Setup(s.r1cs)
	check(err)
	full, public := s.witness()
	var proof groth16.Proof
	runtime.GC()
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 2 && words[0] == "threads":
			count, err := strconv.Atoi(words[1])
			check(err)
			runtime.GOMAXPROCS(count)
			fmt.Println("done")
		case len(words) == 1 && words[0] == "prove":
			time := timed(func() {
				proof, err = groth16.Prove(s.r1cs, pk, full)
				check(err)
			})
			var bytes bytes.Buffer
			_, err := proof.WriteTo(&bytes)
			check(err)
			fmt.Println(time, bytes.Len())
		case len(words) == 1 && words[0] == "verify" && proof != nil:
			fmt.Println(timed(func() { check(groth16.Verify(proof, vk, public)) }))
		default:
			check(fmt.Errorf("no command: %q", lines.Text()))
		}
	}
}
