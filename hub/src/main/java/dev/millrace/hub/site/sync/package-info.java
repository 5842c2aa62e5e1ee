/**
 * What is copied from keys to keys, by patterns, on demand or by jobs. Way in: {@link
 * dev.millrace.hub.site.sync.SyncLayouts}.
 */
@NullMarked
package dev.millrace.hub.site.sync;

import org.jspecify.annotations.NullMarked;
