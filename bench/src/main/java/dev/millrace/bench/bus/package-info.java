/** What it costs a hub to read devices. */
@NullMarked
package dev.millrace.bench.bus;

import org.jspecify.annotations.NullMarked;
