-- look: how many sessions there are, and whether something is to be done about them.
--
-- KEYS  1 login:   2 recent:   3 tokens by when it is looked whether they are still in use
--       4 how many were removed so far
-- Returns {logins, tokens with a time, tokens with an end, the first end in s or "", the time seen
-- longest ago or "", how many were removed}.

local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
return {
  redis.call('HLEN', KEYS[1]),
  redis.call('ZCARD', KEYS[2]),
  redis.call('ZCARD', KEYS[3]),
  first[2] or '',
  oldest[2] or '',
  redis.call('GET', KEYS[4]) or '0'
}
