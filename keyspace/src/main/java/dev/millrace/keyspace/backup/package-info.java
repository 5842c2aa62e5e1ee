/** Everything into one file while others write, and back into an empty server or cluster. */
@NullMarked
package dev.millrace.keyspace.backup;

import org.jspecify.annotations.NullMarked;
