/**
 * {@code bench http}: what a request costs, with the hub's web server, with Netty alone and with
 * Spring Boot. Servers and load have a process each. Way in: {@link
 * dev.millrace.bench.http.HttpBench}; what the servers do: {@link
 * dev.millrace.bench.http.Workload}.
 */
@NullMarked
package dev.millrace.bench.http;

import org.jspecify.annotations.NullMarked;
