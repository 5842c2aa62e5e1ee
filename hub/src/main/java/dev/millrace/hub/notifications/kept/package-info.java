/**
 * What is stored of notifications, subscriptions and transmissions. Its keys: {@link
 * dev.millrace.hub.notifications.kept.NotificationsLayouts}.
 */
@NullMarked
package dev.millrace.hub.notifications.kept;

import org.jspecify.annotations.NullMarked;
