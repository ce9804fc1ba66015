package vec

// Activity counts what a warp does that tells whether it comes forward. Progress counts what can help
// others: exits, barriers, changes of memory. Reads counts loads: lanes that read and make no
// progress may be spinning.
type Activity struct{ Progress, Reads uint64 }
