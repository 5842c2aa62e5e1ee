/**
 * A shop's sessions, views, carts, cached rows and cached pages, from the second key description.
 * One token stands for one visitor in all of them. Way in, so far: {@link
 * dev.millrace.hub.shop.ShopLayouts}.
 */
@NullMarked
package dev.millrace.hub.shop;

import org.jspecify.annotations.NullMarked;
