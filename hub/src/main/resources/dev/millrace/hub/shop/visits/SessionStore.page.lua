-- page: sessions by when they were seen, the last ones first.
--
-- KEYS  1 login:   2 recent:
-- ARGV  1 "" or the score behind which to go on   2 the token there   3 how many
-- Returns for each {token, user or "", time seen, created or "", lifetime or ""}.
--
-- Where to go on is found by halves, so that any number of sessions may have the same time. The
-- hash tag of the shard, if there is one, stands before "login:".

-- Lua compares texts as the language of the server's machine does, Redis by their bytes.
local function before(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end
local recent, first = KEYS[2], 0
local home = string.sub(KEYS[1], 1, -7)
if ARGV[1] ~= '' then
  local score, low, high = tonumber(ARGV[1]), 0, redis.call('ZCARD', recent)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = redis.call('ZREVRANGE', recent, middle, middle, 'WITHSCORES')
    local there = tonumber(at[2])
    if there > score or (there == score and not before(at[1], ARGV[2])) then low = middle + 1 else high = middle end
  end
  first = low
end
local found = {}
local flat = redis.call('ZREVRANGE', recent, first, first + ARGV[3] - 1, 'WITHSCORES')
for i = 1, #flat, 2 do
  local extra = redis.call('HMGET', home .. 'millrace:session:' .. flat[i], 'created', 'ttl')
  found[#found + 1] =
    {flat[i], redis.call('HGET', KEYS[1], flat[i]) or '', flat[i + 1], extra[1] or '', extra[2] or ''}
end
return found
