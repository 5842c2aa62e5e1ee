/**
 * How notifications leave the house: who gets them, by which sender, how often it is tried, and
 * what happens when nobody can be reached.
 */
@NullMarked
package dev.millrace.hub.notifications.delivery;

import org.jspecify.annotations.NullMarked;
