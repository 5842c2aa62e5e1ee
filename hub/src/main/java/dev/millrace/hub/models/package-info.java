/**
 * Models, which give the points of device channels a name and a meaning, and the templates they are
 * made from. They come from the third key description (modsrv) and live together in the site's
 * shard. Way in, so far: {@link dev.millrace.hub.models.ModelsLayouts}.
 */
@NullMarked
package dev.millrace.hub.models;

import org.jspecify.annotations.NullMarked;
