/**
 * What belongs to the whole site: configuration, status, events, synchronisation, locks and
 * temporary data, from the third key description. Small things that many rooms write. Way in, so
 * far: {@link dev.millrace.hub.site.SiteLayouts}.
 */
@NullMarked
package dev.millrace.hub.site;

import org.jspecify.annotations.NullMarked;
