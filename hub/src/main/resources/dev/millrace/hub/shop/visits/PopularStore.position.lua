-- position: how many items stand before a place in the ranking.
--
-- KEYS  1 the popularity of items
-- ARGV  1 score   2 item
-- Found by halves; the item itself need not be there.

-- Lua compares texts as the language of the server's machine does, Redis by their bytes.
local function before(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end
local score, low, high = tonumber(ARGV[1]), 0, redis.call('ZCARD', KEYS[1])
while low < high do
  local middle = math.floor((low + high) / 2)
  local at = redis.call('ZRANGE', KEYS[1], middle, middle, 'WITHSCORES')
  local there = tonumber(at[2])
  if there < score or (there == score and before(at[1], ARGV[2])) then low = middle + 1 else high = middle end
end
return low
