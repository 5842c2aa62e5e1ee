/** What others write to the same Redis, noticed soon after. */
@NullMarked
package dev.millrace.keyspace.foreign;

import org.jspecify.annotations.NullMarked;
