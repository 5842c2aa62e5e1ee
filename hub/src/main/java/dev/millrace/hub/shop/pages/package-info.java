/** The shop's pages, cached in front of the application that makes them. */
@NullMarked
package dev.millrace.hub.shop.pages;

import org.jspecify.annotations.NullMarked;
