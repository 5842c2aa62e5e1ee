/**
 * Real servers for tests: {@link dev.millrace.keyspace.testing.TestServer} is one process, {@link
 * dev.millrace.keyspace.testing.TestCluster} three or six of them. They share nothing with the
 * engine under test but the search for the server program. Way in for most tests: {@link
 * dev.millrace.keyspace.testing.SharedServers}.
 */
@NullMarked
package dev.millrace.keyspace.testing;

import org.jspecify.annotations.NullMarked;
