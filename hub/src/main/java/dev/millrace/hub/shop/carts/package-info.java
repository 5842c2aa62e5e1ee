/** Shopping carts. Way in: {@link dev.millrace.hub.shop.carts.Carts}. */
@NullMarked
package dev.millrace.hub.shop.carts;

import org.jspecify.annotations.NullMarked;
