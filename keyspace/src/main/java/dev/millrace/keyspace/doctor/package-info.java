/** Is this server safe and suitable, and what to change if not. */
@NullMarked
package dev.millrace.keyspace.doctor;

import org.jspecify.annotations.NullMarked;
