/**
 * What a program declares: layouts with their indexes and codecs, single cells, and the catalogue
 * that proves that no two of them can ever mean the same key. Nothing here asks a server.
 */
@NullMarked
package dev.millrace.keyspace.layout;

import org.jspecify.annotations.NullMarked;
