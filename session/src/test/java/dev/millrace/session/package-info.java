@NullMarked
package dev.millrace.session;

import org.jspecify.annotations.NullMarked;
