-- run: carry out commits, each of them whole or not at all, one after another.
--
-- KEYS  the keys of all operations, in order (k, Q, F and K take two)
-- ARGV  for each commit: its operations as a word of letters, checks before writes; how many keys
--       and how many arguments they take; then these arguments in order
-- Returns a list, one item for each commit:
--   a number       done; the last sequence number that was given out, 0 if none
--   'D7' and so on not done, nothing written: a letter for the reason and the operation's number
--                  D exists already  A is absent  C has changed  R belongs to others
--                  W holds another type       F its feed is full
--
-- A script that fails at its third write leaves the first two behind. So each commit is read twice:
-- first every check is made and the type of every key to be written is probed, then all is
-- written, and nothing in that second pass can fail. A probe is the cheapest command that fails on
-- a wrong type. Nobody else runs in between, so a key that was probed once needs no second probe:
-- commits that share index keys, as nearly all do, share the probes too.
--
-- To the server an argument costs as much as thirty steps of this interpreter. So M is there: the
-- index entries of an entity all name its id.
--
-- Letters: checks are small, writes are capital.
--   a absent            e equals: value            x exists
--   f field equals: field, value                   n field absent: field
--   m in sorted set: member                        p in set: member
--   l number at least: n     h number at most: n   g text equals, absent is empty: text
--   u unique: field, id      k absent or of this kind (second key: the kind's index): member
--   s score equals: member, score
--   b not later than: server time in ms            t done before, by token: time to live in ms
--   N set what is absent: value
--   S set: value        X set for a time: value, ms        D delete
--   E let expire: ms
--   Z add to sorted set: score, member             Y take from sorted set: member
--   M as Z, with the member of the Z before: score
--   A add to set: member                           B take from set: member
--   U set field: field, value                      V remove field: field
--   T remove field if it holds: field, value
--   H set fields: count, field, value, …           I add to number: n
--   J add to number in field: field, n
--   L push at the head: value, most                P push at the tail: value, most
--   Q as L, with a sequence number between two halves (second key: the counter): first, last, most
--   F fact (second key: the feed's state): body
--   K push what a string holds at the head, unless the S that follows sets just that (second key:
--     the string): first, last, most, bytes of all that is kept

local call, pcall, byte, type, tonumber = redis.call, redis.pcall, string.byte, type, tonumber
local KEYS, ARGV = KEYS, ARGV
local results, probed, feeds = {}, {}, {}
local word, ops
local k, a, commits, last = 1, 1, 0, #ARGV

-- True if the key holds what the command expects, or nothing.
local function fits(key, command)
  if probed[key] == command then return true end
  if type(pcall(command, key)) ~= 'number' then return false end
  probed[key] = command
  return true
end

-- True if the text is a whole number as Redis writes it (007 is none), far enough from the end of
-- the range to be added to.
local function countable(text)
  if text == false or text == '0' then return true end
  if type(text) ~= 'string' or not text:match('^%-?[1-9]%d*$') then return false end
  local n = tonumber(text)
  return n > -4e15 and n < 4e15
end

-- The last number that a stream has given out, also if what it was given to is gone.
local function lastOf(stream)
  local info = call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return info[i + 1]:match('^%d+') end
  end
end

-- What is known of a feed: read once for all commits of this call, written back once at its end.
-- Nil if one of its keys holds something else. A stream takes growing numbers only, and the state
-- may be lost or behind: then the stream says how far it is.
local function feed(stream, state)
  local known = feeds[state]
  if known then return known end
  local found, length = pcall('HMGET', state, 'seq', 'bytes', 'cap'), pcall('XLEN', stream)
  if found.err or type(length) ~= 'number' then return nil end
  local sequence = found[1] or '0'
  if not countable(sequence) or not countable(found[2]) then return nil end
  local behind
  if length == 0 then
    behind = call('EXISTS', stream) == 1
  else
    -- Compares with the stream's last id and reads nothing, where XRANGE would look for it.
    local given = string.format('%.0f-18446744073709551615', tonumber(sequence))
    behind = call('XREAD', 'COUNT', 1, 'STREAMS', stream, given) and true or false
  end
  if behind then
    local latest = lastOf(stream)
    if not countable(latest) then return nil end
    if tonumber(latest) > tonumber(sequence) then sequence = latest end
  end
  known = {seq = tonumber(sequence), bytes = tonumber(found[2] or 0), cap = tonumber(found[3] or nil)}
  feeds[state] = known
  return known
end

local clock
local function now()
  if not clock then
    local time = call('TIME')
    clock = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  end
  return clock
end

while a <= last do
  if ARGV[a] ~= word then
    word = ARGV[a]
    ops = {byte(word, 1, -1)}
  end
  local n = #ops
  local nextKey, nextArg = k + ARGV[a + 1], a + 3 + ARGV[a + 2]
  local failed, token, tokenTtl, added
  local write, writeKey, writeArg, member
  a = a + 3

  for i = 1, n do
    local op, key = ops[i], KEYS[k]
    if op < 97 and not write then write, writeKey, writeArg = i, k, a end
    k = k + 1
    if op == 90 or op == 77 then                                                 -- Z M
      a = a + (op == 90 and 2 or 1)
      if probed[key] ~= 'ZCARD' and not fits(key, 'ZCARD') then failed = 'W' .. i break end
    elseif op == 78 then                                                         -- N
      a = a + 1
      if call('EXISTS', key) == 1 then failed = 'D' .. i break end
      probed[key] = 'STRLEN'
    elseif op == 83 then                                                         -- S
      a = a + 1
      if not fits(key, 'STRLEN') then failed = 'W' .. i break end
    elseif op == 97 then                                                         -- a
      if call('EXISTS', key) == 1 then failed = 'D' .. i break end
      probed[key] = 'STRLEN'
    elseif op == 101 then                                                        -- e
      local value = pcall('GET', key)
      if value ~= ARGV[a] then
        failed = (value == false and 'A' or type(value) == 'table' and 'W' or 'C') .. i break
      end
      probed[key] = 'STRLEN'
      a = a + 1
    elseif op == 89 then                                                         -- Y
      a = a + 1
      if not fits(key, 'ZCARD') then failed = 'W' .. i break end
    elseif op == 68 then                                                         -- D
    elseif op == 65 or op == 66 then                                             -- A B
      a = a + 1
      if not fits(key, 'SCARD') then failed = 'W' .. i break end
    elseif op == 85 or op == 86 or op == 84 then                                 -- U V T
      a = a + (op == 86 and 1 or 2)
      if not fits(key, 'HLEN') then failed = 'W' .. i break end
    elseif op == 72 then                                                         -- H
      a = a + 1 + 2 * tonumber(ARGV[a])
      if not fits(key, 'HLEN') then failed = 'W' .. i break end
    elseif op == 109 or op == 112 then                                           -- m p
      local found = pcall(op == 109 and 'ZSCORE' or 'SISMEMBER', key, ARGV[a])
      a = a + 1
      if type(found) == 'table' then failed = 'W' .. i break end
      if not found or found == 0 then failed = 'A' .. i break end
    elseif op == 102 or op == 110 then                                           -- f n
      local value = pcall('HGET', key, ARGV[a])
      if type(value) == 'table' then failed = 'W' .. i break end
      if op == 102 and value ~= ARGV[a + 1] or op == 110 and value then failed = 'C' .. i break end
      a = a + (op == 102 and 2 or 1)
    elseif op == 120 then                                                        -- x
      if call('EXISTS', key) == 0 then failed = 'A' .. i break end
    elseif op == 117 then                                                        -- u
      local id = pcall('HGET', key, ARGV[a])
      if type(id) == 'table' then failed = 'W' .. i break end
      if id and id ~= ARGV[a + 1] then failed = 'D' .. i break end
      a = a + 2
    elseif op == 107 then                                                        -- k
      local kind = KEYS[k]
      k = k + 1
      if call('EXISTS', key) == 1 then
        local found = pcall('ZSCORE', kind, ARGV[a])
        if type(found) == 'table' then failed = 'W' .. i break end
        if not found then failed = 'R' .. i break end
      end
      a = a + 1
    elseif op == 108 or op == 104 then                                           -- l h
      local value = pcall('GET', key)
      if type(value) == 'table' then failed = 'W' .. i break end
      local number, bound = tonumber(value or '0'), tonumber(ARGV[a])
      -- Asked this way round, because 'nan' is a number too, and neither less nor greater.
      if not number or not (op == 108 and number >= bound or op == 104 and number <= bound) then
        failed = 'C' .. i break
      end
      a = a + 1
    elseif op == 103 then                                                        -- g
      local value = pcall('GET', key)
      if type(value) == 'table' then failed = 'W' .. i break end
      if (value or '') ~= ARGV[a] then failed = 'C' .. i break end
      a = a + 1
    elseif op == 98 then                                                         -- b
      local now = call('TIME')
      if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[a]) then failed = 'C' .. i break end
      a = a + 1
    elseif op == 116 then                                                        -- t
      token, tokenTtl = key, ARGV[a]
      local done = pcall('GET', key)
      if type(done) == 'table' then failed = 'W' .. i break end
      if done then failed = tonumber(done) or 'W' .. i break end
      a = a + 1
    elseif op == 88 then                                                         -- X
      a = a + 2
      if not fits(key, 'STRLEN') then failed = 'W' .. i break end
    elseif op == 69 then                                                         -- E
      a = a + 1
    elseif op == 73 then                                                         -- I
      a = a + 1
      if not countable(pcall('GET', key)) then failed = 'W' .. i break end
    elseif op == 74 then                                                         -- J
      if not countable(pcall('HGET', key, ARGV[a])) then failed = 'W' .. i break end
      a = a + 2
    elseif op == 76 or op == 80 then                                             -- L P
      a = a + 2
      if not fits(key, 'LLEN') then failed = 'W' .. i break end
    elseif op == 70 then                                                         -- F
      local known = feed(key, KEYS[k])
      if not known then failed = 'W' .. i break end
      if known.cap then
        added = added or {}
        local size = (added[known] or 0) + #ARGV[a]
        if known.bytes + size > known.cap then failed = 'F' .. i break end
        added[known] = size
      end
      k = k + 1
      a = a + 1
    elseif op == 81 then                                                         -- Q
      if not fits(key, 'LLEN') or not countable(pcall('GET', KEYS[k])) then
        failed = 'W' .. i break
      end
      k = k + 1
      a = a + 3
    elseif op == 115 then                                                        -- s
      local score = pcall('ZSCORE', key, ARGV[a])
      if type(score) == 'table' then failed = 'W' .. i break end
      if not score then failed = 'A' .. i break end
      if tonumber(score) ~= tonumber(ARGV[a + 1]) then failed = 'C' .. i break end
      a = a + 2
    elseif op == 75 then                                                         -- K
      k = k + 1
      a = a + 4
      if not fits(key, 'LLEN') then failed = 'W' .. i break end
    end
  end

  commits = commits + 1
  if failed then
    results[commits] = failed
  else
    local sequence = 0
    k, a = writeKey, writeArg
    for i = write or n + 1, n do
      local op, key = ops[i], KEYS[k]
      k = k + 1
      if op == 90 then
        member = ARGV[a + 1]
        call('ZADD', key, ARGV[a], member)
        a = a + 2
      elseif op == 77 then
        call('ZADD', key, ARGV[a], member)
        a = a + 1
      elseif op == 78 or op == 83 then
        call('SET', key, ARGV[a])
        a = a + 1
      elseif op == 89 then
        call('ZREM', key, ARGV[a])
        a = a + 1
      elseif op == 68 then
        call('DEL', key)
        probed[key] = nil
      elseif op == 65 then
        call('SADD', key, ARGV[a])
        a = a + 1
      elseif op == 66 then
        call('SREM', key, ARGV[a])
        a = a + 1
      elseif op == 85 then
        call('HSET', key, ARGV[a], ARGV[a + 1])
        a = a + 2
      elseif op == 86 then
        call('HDEL', key, ARGV[a])
        a = a + 1
      elseif op == 84 then
        if call('HGET', key, ARGV[a]) == ARGV[a + 1] then call('HDEL', key, ARGV[a]) end
        a = a + 2
      elseif op == 72 then
        local to = a + 2 * tonumber(ARGV[a])
        for field = a + 1, to, 1000 do
          call('HSET', key, unpack(ARGV, field, math.min(field + 999, to)))
        end
        a = to + 1
      elseif op == 88 then
        call('SET', key, ARGV[a], 'PX', ARGV[a + 1])
        a = a + 2
      elseif op == 69 then
        call('PEXPIRE', key, ARGV[a])
        a = a + 1
      elseif op == 73 then
        call('INCRBY', key, ARGV[a])
        probed[key] = 'STRLEN'
        a = a + 1
      elseif op == 74 then
        call('HINCRBY', key, ARGV[a], ARGV[a + 1])
        probed[key] = 'HLEN'
        a = a + 2
      elseif op == 76 then
        call('LPUSH', key, ARGV[a])
        call('LTRIM', key, 0, tonumber(ARGV[a + 1]) - 1)
        a = a + 2
      elseif op == 80 then
        call('RPUSH', key, ARGV[a])
        call('LTRIM', key, -tonumber(ARGV[a + 1]), -1)
        a = a + 2
      elseif op == 81 then
        sequence = call('INCR', KEYS[k])
        k = k + 1
        call('LPUSH', key, ARGV[a] .. string.format('%.0f', sequence) .. ARGV[a + 1])
        call('LTRIM', key, 0, tonumber(ARGV[a + 2]) - 1)
        a = a + 3
      elseif op == 70 then
        local known = feeds[KEYS[k]]
        k = k + 1
        sequence = known.seq + 1
        known.seq, known.bytes, known.changed = sequence, known.bytes + #ARGV[a], true
        call('XADD', key, string.format('%.0f-', sequence) .. now(), 'b', ARGV[a])
        a = a + 1
      elseif op == 75 then
        local value, most = pcall('GET', KEYS[k]), tonumber(ARGV[a + 2])
        k = k + 1
        if type(value) == 'string' and not (ops[i + 1] == 83 and ARGV[a + 4] == value) then
          most = math.min(most, math.floor(ARGV[a + 3] / math.max(#value, 1)))
          if most > 0 then
            call('LPUSH', key, ARGV[a] .. value .. ARGV[a + 1])
            call('LTRIM', key, 0, most - 1)
          end
        end
        a = a + 4
      end
    end
    if token then call('SET', token, string.format('%.0f', sequence), 'PX', tokenTtl) end
    results[commits] = sequence
  end
  k, a = nextKey, nextArg
end

for state, known in pairs(feeds) do
  if known.changed then
    call('HSET', state, 'seq', string.format('%.0f', known.seq),
      'bytes', string.format('%.0f', known.bytes))
  end
end
return results
