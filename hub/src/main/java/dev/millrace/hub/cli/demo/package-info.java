/**
 * What {@code ./millrace demo} has beside a hub: things to look at, made by the interface that
 * everybody uses. Way in: {@link dev.millrace.hub.cli.demo.Demo}.
 */
@NullMarked
package dev.millrace.hub.cli.demo;

import org.jspecify.annotations.NullMarked;
