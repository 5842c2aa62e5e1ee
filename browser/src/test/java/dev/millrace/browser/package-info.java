/** The pages of a running hub, looked at with the Chromium of this machine. */
@NullMarked
package dev.millrace.browser;

import org.jspecify.annotations.NullMarked;
