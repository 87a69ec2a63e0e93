// Package nightly closes the month: every organisation gets one statement.
package nightly

import (
	"errors"
	"time"
)

// Statement is what one organisation owes for a month.
type Statement struct {
	Organisation int64
	Month        time.Time
	Seats        int
	Cents        int64
}

var errNoSeats = errors.New("organisation without seats")

// Close computes the statement; the price drops by a tenth from the fiftieth seat.
func Close(organisation int64, month time.Time, seats int, centsPerSeat int64) (Statement, error) {
	if seats <= 0 {
		return Statement{}, errNoSeats
	}
	full, reduced := int64(seats), int64(0)
	if seats > 50 {
		full, reduced = 50, int64(seats-50)
	}
	cents := full*centsPerSeat + reduced*centsPerSeat*9/10
	return Statement{organisation, month, seats, cents}, nil
}
