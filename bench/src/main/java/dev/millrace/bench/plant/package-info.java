/** What values of a plant cost, and what alarms on them cost more. */
@NullMarked
package dev.millrace.bench.plant;

import org.jspecify.annotations.NullMarked;
