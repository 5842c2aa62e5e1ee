/** {@code ./millrace bench documents}: a whole hub with its broker, and documents over HTTP. */
@NullMarked
package dev.millrace.bench.documents;

import org.jspecify.annotations.NullMarked;
