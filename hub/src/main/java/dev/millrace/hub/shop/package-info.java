/**
 * A shop's sessions, views, carts, cached rows and cached pages, from the second key description.
 * One token stands for one visitor in all of them. Way in: {@link dev.millrace.hub.shop.Shop}; what
 * there is lies in the packages below, each with its keys, settings and routes.
 */
@NullMarked
package dev.millrace.hub.shop;

import org.jspecify.annotations.NullMarked;
