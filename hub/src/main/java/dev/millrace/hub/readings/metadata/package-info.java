/** What the metadata service of the same site is asked and told. */
@NullMarked
package dev.millrace.hub.readings.metadata;

import org.jspecify.annotations.NullMarked;
