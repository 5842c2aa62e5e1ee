/**
 * A race: several ways of doing one thing, measured in turns on one Redis. {@link
 * dev.millrace.bench.race.Race} runs it, {@link dev.millrace.bench.race.Report} prints it.
 */
@NullMarked
package dev.millrace.bench.race;

import org.jspecify.annotations.NullMarked;
