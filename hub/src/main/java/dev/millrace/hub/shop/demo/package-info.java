/**
 * A small shop to look at and to try things with: an ordinary web application, which knows nothing
 * of the cache in front of it. Way in: {@link dev.millrace.hub.shop.demo.DemoShop}.
 */
@NullMarked
package dev.millrace.hub.shop.demo;

import org.jspecify.annotations.NullMarked;
