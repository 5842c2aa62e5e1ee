/** A shop's sessions, carts and rows, beside what one would take instead. */
@NullMarked
package dev.millrace.bench.shop;

import org.jspecify.annotations.NullMarked;
