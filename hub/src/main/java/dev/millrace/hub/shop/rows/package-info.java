/** Rows of the shop's database, kept fresh by schedule. */
@NullMarked
package dev.millrace.hub.shop.rows;

import org.jspecify.annotations.NullMarked;
