/** Are values and indexes as the layouts say? Finds drift while others write, and mends it. */
@NullMarked
package dev.millrace.keyspace.check;

import org.jspecify.annotations.NullMarked;
