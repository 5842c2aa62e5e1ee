-- write: would this server take a write now?
-- KEYS  none
-- ARGV  none
-- Returns 1. It writes nothing: a script that may write is refused before it runs by a server whose memory or disk is
-- full, that is a read-only replica, or that misses replicas, and that refusal is what we want to hear.
return 1
