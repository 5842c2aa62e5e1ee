/** Which layout takes how much memory, and how long it will last. */
@NullMarked
package dev.millrace.keyspace.memory;

import org.jspecify.annotations.NullMarked;
