-- look: what is kept under a hash.
--
-- KEYS  1 the body   2 what is known of the page
-- Returns {what is known, body}; either may be nothing

return {redis.call('GET', KEYS[2]), redis.call('GET', KEYS[1])}
