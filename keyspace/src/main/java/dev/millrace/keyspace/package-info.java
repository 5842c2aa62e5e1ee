/**
 * Key layouts as code: every key of a program is declared once, and atomic writes, queries, the key
 * reference, the proof that no two things share a key, check and repair, and cluster safety follow
 * from that declaration. Way in: {@link dev.millrace.keyspace.Keyspace}, with a {@link
 * dev.millrace.keyspace.layout.Layout} for each kind of thing.
 */
@NullMarked
package dev.millrace.keyspace;

import org.jspecify.annotations.NullMarked;
