-- publish: store messages that are new, in one go, and wake who waits for them.
--
-- KEYS  1 the clock of the channel   2 how many were published in this second
--       3… for each message: its deduplication record
-- ARGV  1 lifetime in s   2 what the keys of messages begin with   3 the channel to wake
--       4 most messages in a second, 0 for any   5… for each message: what is stored
-- Returns for each message its clock, or false for one that was there before; -1 alone if there
-- were too many in this second, and nothing was stored.
--
-- What can fail comes first: after the first write nothing can. A clock that is no number counts
-- as missing, as it does everywhere. The keys of messages are made here; they carry the channel's
-- hash tag like all others, so they are in the same slot.

local clockKey, rateKey, life, prefix, most = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[4])
local MAX = 9007199254740991
local text = redis.call('GET', clockKey)
local clock = text and string.find(text, '^-?%d+$') and tonumber(text) or 0
if clock > MAX or clock < -MAX then clock = 0 end

if most > 0 then
  local count = tonumber(redis.call('GET', rateKey) or '0') or 0
  if count > 0 and count + #KEYS - 2 > most then return -1 end
  local now = redis.call('INCRBY', rateKey, #KEYS - 2)
  if now == #KEYS - 2 then redis.call('PEXPIRE', rateKey, 1000) end
end

local clocks, new = {}, false
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    clocks[i - 2] = false
  else
    clock = clock == MAX and -MAX or clock + 1
    local number = string.format('%.0f', clock)
    redis.call('SET', KEYS[i], number, 'EX', life)
    redis.call('SET', prefix .. number, ARGV[i + 2], 'EX', life)
    clocks[i - 2] = number
    new = true
  end
end
if new then
  redis.call('SET', clockKey, string.format('%.0f', clock), 'EX', life)
  redis.call('PUBLISH', ARGV[3], 'new message')
else
  redis.call('EXPIRE', clockKey, life)
end
return clocks
