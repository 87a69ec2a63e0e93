package nightly

import (
	"testing"
	"time"
)

func TestThePriceDropsFromTheFiftyFirstSeat(t *testing.T) {
	got, err := Close(1, time.Now(), 60, 100)
	if err != nil || got.Cents != 5900 {
		t.Fatalf("got %d, %v", got.Cents, err)
	}
}
