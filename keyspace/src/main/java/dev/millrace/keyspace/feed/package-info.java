/**
 * What happened: facts that a commit leaves in a stream beside what it wrote, durable readers of
 * them, and cursors for those who keep their place themselves.
 */
@NullMarked
package dev.millrace.keyspace.feed;

import org.jspecify.annotations.NullMarked;
