/**
 * What a shared cache may keep, for how long, and for whom: the rules of RFC 9111 and 5861, RFC
 * 9213 for headers meant for us, and RFC 9110 for conditions and ranges. Nothing here keeps, sends
 * or waits. Way in: {@link dev.millrace.hub.shop.pages.rfc.Storing} for an answer that came, {@link
 * dev.millrace.hub.shop.pages.rfc.Using} for a page that is there.
 */
@NullMarked
package dev.millrace.hub.shop.pages.rfc;

import org.jspecify.annotations.NullMarked;
