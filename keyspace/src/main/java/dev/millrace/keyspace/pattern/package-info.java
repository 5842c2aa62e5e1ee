/**
 * Key patterns such as {@code event:device:{device}}: what a key may look like, said once. A {@link
 * dev.millrace.keyspace.pattern.Grammar} is the alphabet of one variable, a {@link
 * dev.millrace.keyspace.pattern.KeyPattern} builds and recognises the keys of one kind and proves
 * that it never meets another, and a {@link dev.millrace.keyspace.pattern.PatternSet} tells which
 * of many patterns one key belongs to. Nothing in here knows Redis beyond the shape of its keys.
 */
@NullMarked
package dev.millrace.keyspace.pattern;

import org.jspecify.annotations.NullMarked;
