-- ofUser: the sessions of a user, the newest first.
--
-- KEYS  1 login:   2 recent:   3 the tokens of the user
-- ARGV  1 user   2 how many at most   3 now in s   4 lifetime in s
-- Returns for each {token, user, time seen or "", created or "", lifetime or ""}. The list is a
-- hint: a token that was given to somebody else is left out. The hash tag of the shard, if there
-- is one, stands before "login:".

local found, home = {}, string.sub(KEYS[1], 1, -7)
for _, token in ipairs(redis.call('ZREVRANGE', KEYS[3], 0, ARGV[2] - 1)) do
  if redis.call('HGET', KEYS[1], token) == ARGV[1] then
    local seen = redis.call('ZSCORE', KEYS[2], token)
    local extra = redis.call('HMGET', home .. 'millrace:session:' .. token, 'created', 'ttl')
    if not seen or seen + (tonumber(extra[2] or '') or ARGV[4]) > tonumber(ARGV[3]) then
      found[#found + 1] = {token, ARGV[1], seen or '', extra[1] or '', extra[2] or ''}
    end
  end
end
return found
