/**
 * How a hub starts, how soon it is at full speed, and what it takes while nobody asks for anything.
 */
@NullMarked
package dev.millrace.bench.rest;

import org.jspecify.annotations.NullMarked;
