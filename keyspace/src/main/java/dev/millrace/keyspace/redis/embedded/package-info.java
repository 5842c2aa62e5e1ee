/** The server that we start ourselves, as a child process, and keep alive. */
@NullMarked
package dev.millrace.keyspace.redis.embedded;

import org.jspecify.annotations.NullMarked;
