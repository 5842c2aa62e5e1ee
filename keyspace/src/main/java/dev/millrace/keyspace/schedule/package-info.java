/** What is due later, and who may do something alone: schedules and leases. */
@NullMarked
package dev.millrace.keyspace.schedule;

import org.jspecify.annotations.NullMarked;
