package dev.millrace.bench.peers;

import dev.millrace.bench.race.Address;

/** One of two that are asked the same. */
record Side(String name, Address server, Processes processes) {}
