-- list: the oldest dead letters of a channel.
--
-- KEYS  1 the dead letters   2 their bytes
-- ARGV  1 how many at most   2 about so many bytes at most
-- Returns {how many there are, their bytes, letter, …}.

local result = {redis.call('LLEN', KEYS[1]), tonumber(redis.call('GET', KEYS[2]) or '0') or 0}
local most, room, at = tonumber(ARGV[1]), tonumber(ARGV[2]), 0
while at < most and room > 0 do
  local letters = redis.call('LRANGE', KEYS[1], at, math.min(at + 16, most) - 1)
  if #letters == 0 then break end
  for _, letter in ipairs(letters) do
    if room <= 0 then break end
    result[#result + 1] = letter
    room = room - #letter
  end
  at = at + #letters
end
return result
