-- get: a session, if it lives.
--
-- KEYS  1 login:   2 recent:   3 the session
-- ARGV  1 token   2 now in s   3 lifetime in s
-- Returns false if there is none, else {user, time seen or "", {fields and values of the session}}.

local user = redis.call('HGET', KEYS[1], ARGV[1])
local seen = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not user then return false end
local fields = redis.call('HGETALL', KEYS[3])
local ttl
for i = 1, #fields, 2 do
  if fields[i] == 'ttl' then ttl = tonumber(fields[i + 1]) end
end
if seen and seen + (ttl or tonumber(ARGV[3])) <= tonumber(ARGV[2]) then return false end
return {user, seen or '', fields}
