/** The description of all routes that the hub gives of itself, made from the routes. */
@NullMarked
package dev.millrace.hub.http.openapi;

import org.jspecify.annotations.NullMarked;
