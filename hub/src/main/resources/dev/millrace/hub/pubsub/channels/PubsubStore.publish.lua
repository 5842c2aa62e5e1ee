-- publish: store messages that are new, and wake who waits for them. Several calls may come at
-- once, their keys and arguments one after another; each is for one channel.
--
-- KEYS  1 the clock of the channel   2 how many were published in this second
--       3… for each message: its deduplication record
-- ARGV  1 how many messages   2 lifetime in s   3 what the keys of messages begin with
--       4 the channel to wake   5 most messages in a second, 0 for any
--       6… for each message: what is stored
-- Returns for each call: for each message its clock, or false for one that was there before; or
-- -1 if there were too many in this second, or the name of what is wrong with a key. Then nothing
-- was stored by this call.
--
-- What can fail comes first, and fails this call alone: after the first write nothing can. A clock
-- that is not a number counts as missing, as it does everywhere. The keys of messages are made here;
-- they carry the channel's hash tag like all others, so they are in the same slot.

local MAX = 9007199254740991
local call, format = redis.call, string.format

local function publish(key, arg, count)
  local clockKey, life, prefix, most = KEYS[key], ARGV[arg + 1], ARGV[arg + 2], tonumber(ARGV[arg + 4])
  local text = redis.pcall('GET', clockKey)
  if type(text) == 'table' then return text.err end
  local clock = text and string.find(text, '^-?%d+$') and tonumber(text) or 0
  if clock > MAX or clock < -MAX then clock = 0 end

  if most > 0 then
    local rateKey = KEYS[key + 1]
    local before = redis.pcall('GET', rateKey)
    if type(before) == 'table' then return before.err end
    local published = tonumber(before or '0')
    if published and published > 0 and published + count > most then return -1 end
    local now = redis.pcall('INCRBY', rateKey, count)
    if type(now) == 'table' then return now.err end
    if now == count then call('PEXPIRE', rateKey, 1000) end
  end

  local clocks, new = {}, false
  for i = 1, count do
    local after = clock == MAX and -MAX or clock + 1
    local number = format('%.0f', after)
    if call('SET', KEYS[key + 1 + i], number, 'EX', life, 'NX') then
      call('SET', prefix .. number, ARGV[arg + 4 + i], 'EX', life)
      clocks[i] = number
      clock = after
      new = true
    else
      clocks[i] = false
    end
  end
  if new then
    call('SET', clockKey, format('%.0f', clock), 'EX', life)
    call('PUBLISH', ARGV[arg + 3], 'new message')
  else
    call('EXPIRE', clockKey, life)
  end
  return clocks
end

local results, key, arg = {}, 1, 1
while key <= #KEYS do
  local count = tonumber(ARGV[arg])
  results[#results + 1] = publish(key, arg, count)
  key = key + 2 + count
  arg = arg + 5 + count
end
return results
