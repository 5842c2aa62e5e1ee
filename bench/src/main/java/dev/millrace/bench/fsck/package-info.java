/**
 * What a running check costs those who write. {@link dev.millrace.bench.fsck.FsckBench} is the way
 * in; it starts the hub's own {@code fsck} as a person would.
 */
@NullMarked
package dev.millrace.bench.fsck;

import org.jspecify.annotations.NullMarked;
