/**
 * Who visits, and what they look at: sessions, views, popularity. Ways in: {@link
 * dev.millrace.hub.shop.visits.Visits} and {@link dev.millrace.hub.shop.visits.Popularity}.
 */
@NullMarked
package dev.millrace.hub.shop.visits;

import org.jspecify.annotations.NullMarked;
