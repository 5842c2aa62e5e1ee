-- run: carry out commits, each of them whole or not at all, one after another.
--
-- KEYS  the keys of all operations, in order (some take two)
-- ARGV  for each commit: its operations as a word of letters, checks before writes; how many keys
--       and how many arguments they take; then these arguments in order
-- Returns a list, one item for each commit:
--   a number       done; the last sequence number that was given out, 0 if none
--   'D7' and so on not done, nothing written: a letter for the reason and the operation's number
--                  D exists already  A is absent  C has changed  R belongs to others
--                  W holds another type       F its feed is full       U is not known here
--
-- A script that fails at its third write leaves the first two behind. So each commit is read twice:
-- first every check is made and the type of every key to be written is probed, then all is
-- written, and nothing in that second pass can fail. A probe is the cheapest command that fails on
-- a wrong type. Nobody else runs in between, so a key that was probed once needs no second probe:
-- commits that share index keys, as nearly all do, share the probes too.
--
-- A command costs the server as much as hundreds of steps of this interpreter, whatever little it
-- does. So the second pass carries out what must come at once, and collects the rest: all members
-- that go to one sorted set, of whichever commits, are one ZADD at the end, all values one MSET.
-- Whoever looks at a key that something waits for, or writes to it by another command, has it
-- settled first, and so sees just what it would see if everything was written at once.
--
-- What a check has found out is not asked again: an entry that stands as it would be written is not
-- written, and what is to be kept of a value was read when the value was looked at.
--
-- To the server an argument costs as much as thirty steps of this interpreter. So there is
-- ADD_SORTED_AGAIN: the index entries of an entity all name its id.
--
-- The operations, as Operation.java has them: the letter's number, the letter (checks are small,
-- writes are capital), what it does to a full server, how many keys it takes, and its arguments.
-- What is not plain from the name:
--   TEXT_EQUALS        what is absent is empty
--   NUMBER_EQUALS      what is absent is 0
--   UNIQUE             the field is free or holds this id
--   ABSENT_OR_OF_KIND  the second key is the index of the kind
--   ONCE               not done before; the key is that of a token
--   ADD_SORTED_AGAIN   with the member of the ADD_SORTED before
--   RAISE_FIELD        the number, unless a greater one is there; what is no number gives way
--   SIZE_FIELD         how much the second key holds by now, as this command says; nothing happens if
--                      one of the two keys holds another type
--   PUSH, APPEND       at the head, at the tail of a list that keeps the newest
--   REMOVE_LISTED      the first that is equal; nothing happens if there is none
--   LOG                PUSH of a sequence number between two halves; the second key counts
--   LOG_IF_LIST        the same; nothing happens if one of the two keys holds something else
--   FACT               the second key is the feed's state
--   ANNOUNCE           PUBLISH; the key is only where the commit is, and nobody need listen
--   KEEP_BEFORE        PUSH of what a string, the second key, holds between two halves, unless the
--                      SET that follows sets just that
local ABSENT              = 97  -- a check  1
local EQUALS              = 101 -- e check  1: value
local EXISTS              = 120 -- x check  1
local FIELD_EQUALS        = 102 -- f check  1: field, value
local FIELD_ABSENT        = 110 -- n check  1: field
local IN_SORTED_SET       = 109 -- m check  1: member
local IN_SET              = 112 -- p check  1: member
local IN_LIST             = 105 -- i check  1: element
local LIST_SHORTER        = 99  -- c check  1: than so many
local AT_LEAST            = 108 -- l check  1: number
local AT_MOST             = 104 -- h check  1: number
local TEXT_EQUALS         = 103 -- g check  1: text
local NUMBER_EQUALS       = 113 -- q check  1: number
local UNIQUE              = 117 -- u check  1: field, id
local ABSENT_OR_OF_KIND   = 107 -- k check  2: member
local SCORE_EQUALS        = 115 -- s check  1: member, score
local NOT_LATER           = 98  -- b check  1: server time in ms
local ONCE                = 116 -- t check  1: time to live in ms
local SET_ABSENT          = 78  -- N add    1: value
local SET                 = 83  -- S add    1: value
local SET_FOR             = 88  -- X add    1: value, ms
local DELETE              = 68  -- D remove 1
local EXPIRE              = 69  -- E remove 1: ms
local ADD_SORTED          = 90  -- Z add    1: score, member
local ADD_SORTED_AGAIN    = 77  -- M add    1: score
local REMOVE_SORTED       = 89  -- Y remove 1: member
local ADD_MEMBER          = 65  -- A add    1: member
local REMOVE_MEMBER       = 66  -- B remove 1: member
local SET_FIELD           = 85  -- U add    1: field, value
local REMOVE_FIELD        = 86  -- V remove 1: field
local REMOVE_FIELD_IF     = 84  -- T remove 1: field, value
local REMOVE_FIELDS       = 87  -- W remove 1: count, field, …
local SET_FIELDS          = 72  -- H add    1: count, field, value, …
local RAISE_FIELD         = 82  -- R add    1: field, number
local INCREMENT           = 73  -- I add    1: number
local INCREMENT_FIELD     = 74  -- J add    1: field, number
local SIZE_FIELD          = 67  -- C remove 2: field, command
local PUSH                = 76  -- L add    1: value, most
local APPEND              = 80  -- P add    1: value, most
local REMOVE_LISTED       = 45  -- - remove 1: element
local LOG                 = 81  -- Q add    2: first, last, most
local LOG_IF_LIST         = 71  -- G add    2: first, last, most
local FACT                = 70  -- F add    2: body
local KEEP_BEFORE         = 75  -- K add    2: first, last, most, bytes of all that is kept
local ANNOUNCE            = 79  -- O remove 1: channel, message
local SMALLEST_CHECK      = ABSENT

-- Lua takes no more than about 8000 values apart at once.
local MOST                = 4000

-- How much of the values that checks have read is held until they are kept: more of it would only
-- be memory. The others are read again.
local HELD_BYTES          = 262144

local byte, unpack, min = string.byte, unpack, math.min
local results, probed = {}, {}
local word, ops, keeps
local k, a, commits, last = 1, 1, 0, #ARGV

-- What waits for a key: a command with its arguments, for this key alone (and how many words it has)
-- or for many.
local waiting, sizes, waited, keysWaited = {}, {}, {}, 0
local values, nValues, removed, nRemoved = {'MSET'}, 1, {'UNLINK'}, 1

-- Writes what waits for a key.
local function settle(key)
  local writes = waiting[key]
  if writes == values then
    for i = 2, nValues, 2 do waiting[values[i]] = nil end
    call(unpack(values, 1, nValues))
    values, nValues = {'MSET'}, 1
  elseif writes == removed then
    for i = 2, nRemoved do waiting[removed[i]] = nil end
    call(unpack(removed, 1, nRemoved))
    removed, nRemoved = {'UNLINK'}, 1
  else
    waiting[key] = nil
    call(unpack(writes, 1, sizes[key]))
  end
end

-- Adds to what waits for a key alone.
local function later(key, command, one, two)
  local writes = waiting[key]
  if writes then
    local size = sizes[key]
    if writes[1] == command and size < MOST then
      writes[size + 1] = one
      if two then
        writes[size + 2] = two
        size = size + 1
      end
      sizes[key] = size + 1
      return
    end
    settle(key)
  end
  waiting[key] = {command, key, one, two}
  sizes[key] = two and 4 or 3
  keysWaited = keysWaited + 1
  waited[keysWaited] = key
end

-- Adds an entry, unless a check has found it just so and nothing has changed it since.
local function addSorted(key, score, member, scores)
  local known = scores and scores[key]
  if known then
    if known[member] == score then return end
    known[member] = nil
  end
  later(key, 'ZADD', score, member)
end

-- The score of a member, as ZSCORE says it; whether it is there may be known before all is written.
local function scoreOf(key, member)
  local writes = waiting[key]
  if not writes then return pcall('ZSCORE', key, member) end
  if writes[1] == 'ZADD' then
    local found = pcall('ZSCORE', key, member)
    if found then return found end
  end
  settle(key)
  return pcall('ZSCORE', key, member)
end

-- True if the key holds what the command expects, or nothing.
local function fits(key, command)
  if probed[key] == command then return true end
  if waiting[key] then settle(key) end
  if type(pcall(command, key)) ~= 'number' then return false end
  probed[key] = command
  return true
end

-- True if the number goes over what a field holds. What is no finite number in decimal does not
-- stand in the way: left by somebody else, it would stand there for ever.
local function rises(value, number)
  local old = value and not value:find('[xX]') and tonumber(value)
  return not old or old - old ~= 0 or tonumber(number) > old
end

-- Pushes the next number of the sequence between two halves; gives the number.
local function log(list, counter, first, final, most)
  local sequence = call('INCR', counter)
  probed[counter] = 'STRLEN'
  call('LPUSH', list, first .. string.format('%.0f', sequence) .. final)
  call('LTRIM', list, 0, tonumber(most) - 1)
  return sequence
end

while a <= last do
  if ARGV[a] ~= word then
    word = ARGV[a]
    ops = {byte(word, 1, -1)}
    keeps = string.find(word, 'K', 1, true)
  end
  local n = #ops
  local nextKey, nextArg = k + ARGV[a + 1], a + 3 + ARGV[a + 2]
  local failed, token, tokenTtl, added
  local write, writeKey, writeArg, member
  -- What the first field that may rise holds.
  local level
  -- By set: the scores of members that a check of this commit has found; by key: the values that it
  -- has read. Writes of this commit to such a key put an end to that.
  local scores, held, heldBytes
  a = a + 3

  for i = 1, n do
    local op, key = ops[i], KEYS[k]
    if op < SMALLEST_CHECK and not write then write, writeKey, writeArg = i, k, a end
    k = k + 1
    if op == ADD_SORTED or op == ADD_SORTED_AGAIN then
      a = a + (op == ADD_SORTED and 2 or 1)
      if probed[key] ~= 'ZCARD' and not fits(key, 'ZCARD') then failed = 'W' .. i break end
    elseif op == SET_FIELDS then
      a = a + 1 + 2 * ARGV[a]
      if i == write and ops[i + 1] == RAISE_FIELD and KEYS[k] == key then
        -- Nothing is written before it, so what will be asked of the field is the probe too.
        if waiting[key] then settle(key) end
        level = pcall('HGET', key, ARGV[a])
        if type(level) == 'table' then failed = 'W' .. i break end
        probed[key] = 'HLEN'
      elseif probed[key] ~= 'HLEN' and not fits(key, 'HLEN') then
        failed = 'W' .. i break
      end
    elseif op == SET_ABSENT then
      a = a + 1
      if waiting[key] then settle(key) end
      if call('EXISTS', key) == 1 then failed = 'D' .. i break end
    elseif op == SET then
      a = a + 1
      if not fits(key, 'STRLEN') then failed = 'W' .. i break end
    elseif op == ABSENT then
      if waiting[key] then settle(key) end
      if call('EXISTS', key) == 1 then failed = 'D' .. i break end
      probed[key] = 'STRLEN'
    elseif op == EQUALS then
      if waiting[key] then settle(key) end
      local value = pcall('GET', key)
      if value ~= ARGV[a] then
        failed = (value == false and 'A' or type(value) == 'table' and 'W' or 'C') .. i break
      end
      probed[key] = 'STRLEN'
      a = a + 1
    elseif op == FACT then
      if waiting[key] then settle(key) end
      if waiting[KEYS[k]] then settle(KEYS[k]) end
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
    elseif op == NUMBER_EQUALS then
      if waiting[key] then settle(key) end
      local value = pcall('GET', key)
      if type(value) == 'table' then failed = 'W' .. i break end
      if tonumber(value or '0') ~= tonumber(ARGV[a]) then failed = 'C' .. i break end
      a = a + 1
    elseif op == REMOVE_SORTED then
      a = a + 1
      if not fits(key, 'ZCARD') then failed = 'W' .. i break end
    elseif op == DELETE then
      -- Takes whatever is there.
    elseif op == ADD_MEMBER or op == REMOVE_MEMBER then
      a = a + 1
      if not fits(key, 'SCARD') then failed = 'W' .. i break end
    elseif op == SET_FIELD or op == RAISE_FIELD or op == REMOVE_FIELD or op == REMOVE_FIELD_IF then
      a = a + (op == REMOVE_FIELD and 1 or 2)
      if not fits(key, 'HLEN') then failed = 'W' .. i break end
    elseif op == REMOVE_FIELDS then
      a = a + 1 + ARGV[a]
      if not fits(key, 'HLEN') then failed = 'W' .. i break end
    elseif op == IN_SORTED_SET or op == IN_SET then
      local found
      if op == IN_SORTED_SET then
        found = scoreOf(key, ARGV[a])
      else
        if waiting[key] then settle(key) end
        found = pcall('SISMEMBER', key, ARGV[a])
      end
      a = a + 1
      if type(found) == 'table' then failed = 'W' .. i break end
      if not found or found == 0 then failed = 'A' .. i break end
    elseif op == FIELD_EQUALS or op == FIELD_ABSENT then
      if waiting[key] then settle(key) end
      local value = pcall('HGET', key, ARGV[a])
      if type(value) == 'table' then failed = 'W' .. i break end
      if op == FIELD_EQUALS and value ~= ARGV[a + 1] or op == FIELD_ABSENT and value then
        failed = 'C' .. i break
      end
      a = a + (op == FIELD_EQUALS and 2 or 1)
    elseif op == IN_LIST or op == LIST_SHORTER then
      if waiting[key] then settle(key) end
      local found
      if op == IN_LIST then found = pcall('LPOS', key, ARGV[a]) else found = pcall('LLEN', key) end
      if type(found) == 'table' then failed = 'W' .. i break end
      if op == IN_LIST and not found then failed = 'A' .. i break end
      if op == LIST_SHORTER and found >= tonumber(ARGV[a]) then failed = 'C' .. i break end
      probed[key] = 'LLEN'
      a = a + 1
    elseif op == EXISTS then
      if waiting[key] then settle(key) end
      if call('EXISTS', key) == 0 then failed = 'A' .. i break end
    elseif op == UNIQUE then
      if waiting[key] then settle(key) end
      local id = pcall('HGET', key, ARGV[a])
      if type(id) == 'table' then failed = 'W' .. i break end
      if id and id ~= ARGV[a + 1] then failed = 'D' .. i break end
      a = a + 2
    elseif op == ABSENT_OR_OF_KIND then
      local kind = KEYS[k]
      k = k + 1
      local writes = waiting[key]
      if writes and (keeps or writes ~= values) then
        settle(key)
        writes = nil
      end
      local value
      if writes then
        value = true
      elseif keeps then
        value = pcall('GET', key)
      else
        value = call('EXISTS', key) == 1
      end
      if value then
        local settled = not waiting[kind]
        local found = scoreOf(kind, ARGV[a])
        if type(found) == 'table' then failed = 'W' .. i break end
        if not found then failed = 'R' .. i break end
        probed[kind] = 'ZCARD'
        if settled then
          scores = scores or {}
          local known = scores[kind]
          if not known then
            known = {}
            scores[kind] = known
          end
          known[ARGV[a]] = found
        end
        if type(value) == 'string' then
          probed[key] = 'STRLEN'
          heldBytes = (heldBytes or 0) + #value
          if heldBytes <= HELD_BYTES then
            held = held or {}
            held[key] = value
          end
        end
      else
        probed[key] = 'STRLEN'
      end
      a = a + 1
    elseif op == AT_LEAST or op == AT_MOST then
      if waiting[key] then settle(key) end
      local value = pcall('GET', key)
      if type(value) == 'table' then failed = 'W' .. i break end
      local number, bound = tonumber(value or '0'), tonumber(ARGV[a])
      -- Asked this way round, because 'nan' is a number too, and neither less nor greater.
      local holds = number and (op == AT_LEAST and number >= bound or op == AT_MOST and number <= bound)
      if not holds then
        failed = 'C' .. i break
      end
      a = a + 1
    elseif op == TEXT_EQUALS then
      if waiting[key] then settle(key) end
      local value = pcall('GET', key)
      if type(value) == 'table' then failed = 'W' .. i break end
      if (value or '') ~= ARGV[a] then failed = 'C' .. i break end
      a = a + 1
    elseif op == NOT_LATER then
      local now = call('TIME')
      if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[a]) then failed = 'C' .. i break end
      a = a + 1
    elseif op == ONCE then
      if waiting[key] then settle(key) end
      token, tokenTtl = key, ARGV[a]
      local done = pcall('GET', key)
      if type(done) == 'table' then failed = 'W' .. i break end
      if done then failed = tonumber(done) or 'W' .. i break end
      a = a + 1
    elseif op == SET_FOR then
      a = a + 2
      if not fits(key, 'STRLEN') then failed = 'W' .. i break end
    elseif op == EXPIRE then
      a = a + 1
    elseif op == ANNOUNCE then
      a = a + 2
    elseif op == INCREMENT then
      if waiting[key] then settle(key) end
      a = a + 1
      if not countable(pcall('GET', key)) then failed = 'W' .. i break end
    elseif op == INCREMENT_FIELD then
      if waiting[key] then settle(key) end
      if not countable(pcall('HGET', key, ARGV[a])) then failed = 'W' .. i break end
      a = a + 2
    elseif op == PUSH or op == APPEND then
      a = a + 2
      if not fits(key, 'LLEN') then failed = 'W' .. i break end
    elseif op == REMOVE_LISTED then
      a = a + 1
      if not fits(key, 'LLEN') then failed = 'W' .. i break end
    elseif op == LOG then
      if waiting[KEYS[k]] then settle(KEYS[k]) end
      if not fits(key, 'LLEN') or not countable(pcall('GET', KEYS[k])) then
        failed = 'W' .. i break
      end
      k = k + 1
      a = a + 3
    elseif op == SIZE_FIELD or op == LOG_IF_LIST then
      -- Look when they write: what is in the way of them is in nobody else's.
      k = k + 1
      a = a + (op == SIZE_FIELD and 2 or 3)
    elseif op == SCORE_EQUALS then
      if waiting[key] then settle(key) end
      local score = pcall('ZSCORE', key, ARGV[a])
      if type(score) == 'table' then failed = 'W' .. i break end
      if not score then failed = 'A' .. i break end
      if tonumber(score) ~= tonumber(ARGV[a + 1]) then failed = 'C' .. i break end
      a = a + 2
    elseif op == KEEP_BEFORE then
      k = k + 1
      a = a + 4
      if not fits(key, 'LLEN') then failed = 'W' .. i break end
    else
      failed = 'U' .. i break
    end
  end

  commits = commits + 1
  if failed then
    results[commits] = failed
  else
    local sequence, raised = 0, false
    k, a = writeKey, writeArg
    for i = write or n + 1, n do
      local op, key = ops[i], KEYS[k]
      k = k + 1
      if op == ADD_SORTED then
        member = ARGV[a + 1]
        addSorted(key, ARGV[a], member, scores)
        a = a + 2
      elseif op == ADD_SORTED_AGAIN then
        addSorted(key, ARGV[a], member, scores)
        a = a + 1
      elseif op == SET_FIELDS then
        if waiting[key] then settle(key) end
        local to = a + 2 * ARGV[a]
        local through = to
        if ops[i + 1] == RAISE_FIELD and KEYS[k] == key then
          -- Its field and number follow, and go along if it rises.
          raised = true
          if i ~= write then level = call('HGET', key, ARGV[to + 1]) end
          if rises(level, ARGV[to + 2]) then through = to + 2 end
        end
        for field = a + 1, through, 1000 do
          call('HSET', key, unpack(ARGV, field, min(field + 999, through)))
        end
        a = to + 1
      elseif op == SET_ABSENT or op == SET then
        local writes = waiting[key]
        if writes and writes ~= values then settle(key) end
        waiting[key] = values
        values[nValues + 1], values[nValues + 2] = key, ARGV[a]
        nValues = nValues + 2
        probed[key] = 'STRLEN'
        if held then held[key] = nil end
        if nValues > MOST then settle(key) end
        a = a + 1
      elseif op == REMOVE_SORTED then
        later(key, 'ZREM', ARGV[a])
        if scores then scores[key] = nil end
        a = a + 1
      elseif op == DELETE then
        if held then held[key] = nil end
        if scores then scores[key] = nil end
        local writes = waiting[key]
        if writes and writes ~= removed then settle(key) end
        waiting[key] = removed
        nRemoved = nRemoved + 1
        removed[nRemoved] = key
        if nRemoved > MOST then settle(key) end
        probed[key] = nil
      elseif op == ADD_MEMBER then
        later(key, 'SADD', ARGV[a])
        a = a + 1
      elseif op == REMOVE_MEMBER then
        later(key, 'SREM', ARGV[a])
        a = a + 1
      elseif op == SET_FIELD then
        later(key, 'HSET', ARGV[a], ARGV[a + 1])
        a = a + 2
      elseif op == REMOVE_FIELD then
        later(key, 'HDEL', ARGV[a])
        a = a + 1
      elseif op == FACT then
        local known = feeds[KEYS[k]]
        k = k + 1
        if waiting[key] then settle(key) end
        sequence = tell(key, known, ARGV[a])
        a = a + 1
      else
        -- The others come at once, after what waits for their key.
        if waiting[key] then settle(key) end
        if held and op ~= KEEP_BEFORE then
          held[key] = nil
          if KEYS[k] then held[KEYS[k]] = nil end
        end
        if op == REMOVE_FIELD_IF then
          if call('HGET', key, ARGV[a]) == ARGV[a + 1] then call('HDEL', key, ARGV[a]) end
          a = a + 2
        elseif op == RAISE_FIELD then
          if raised then
            raised = false
          elseif rises(call('HGET', key, ARGV[a]), ARGV[a + 1]) then
            call('HSET', key, ARGV[a], ARGV[a + 1])
          end
          a = a + 2
        elseif op == REMOVE_FIELDS then
          local to = a + ARGV[a]
          for field = a + 1, to, 1000 do
            call('HDEL', key, unpack(ARGV, field, min(field + 999, to)))
          end
          a = to + 1
        elseif op == SET_FOR then
          call('SET', key, ARGV[a], 'PX', ARGV[a + 1])
          a = a + 2
        elseif op == EXPIRE then
          call('PEXPIRE', key, ARGV[a])
          a = a + 1
        elseif op == INCREMENT then
          call('INCRBY', key, ARGV[a])
          probed[key] = 'STRLEN'
          a = a + 1
        elseif op == INCREMENT_FIELD then
          call('HINCRBY', key, ARGV[a], ARGV[a + 1])
          probed[key] = 'HLEN'
          a = a + 2
        elseif op == PUSH then
          call('LPUSH', key, ARGV[a])
          call('LTRIM', key, 0, tonumber(ARGV[a + 1]) - 1)
          a = a + 2
        elseif op == APPEND then
          call('RPUSH', key, ARGV[a])
          call('LTRIM', key, -tonumber(ARGV[a + 1]), -1)
          a = a + 2
        elseif op == REMOVE_LISTED then
          call('LREM', key, 1, ARGV[a])
          a = a + 1
        elseif op == LOG then
          if waiting[KEYS[k]] then settle(KEYS[k]) end
          sequence = log(key, KEYS[k], ARGV[a], ARGV[a + 1], ARGV[a + 2])
          k = k + 1
          a = a + 3
        elseif op == LOG_IF_LIST then
          if waiting[KEYS[k]] then settle(KEYS[k]) end
          if fits(key, 'LLEN') and countable(pcall('GET', KEYS[k])) then
            sequence = log(key, KEYS[k], ARGV[a], ARGV[a + 1], ARGV[a + 2])
          end
          k = k + 1
          a = a + 3
        elseif op == SIZE_FIELD then
          if waiting[KEYS[k]] then settle(KEYS[k]) end
          local size = pcall(ARGV[a + 1], KEYS[k])
          if type(size) == 'number' and fits(key, 'HLEN') then call('HSET', key, ARGV[a], size) end
          k = k + 1
          a = a + 2
        elseif op == ANNOUNCE then
          -- Who may not publish has stored all the same.
          pcall('PUBLISH', ARGV[a], ARGV[a + 1])
          a = a + 2
        elseif op == KEEP_BEFORE then
          local value, most = held and held[KEYS[k]], tonumber(ARGV[a + 2])
          if not value then
            if waiting[KEYS[k]] then settle(KEYS[k]) end
            value = pcall('GET', KEYS[k])
          end
          k = k + 1
          if type(value) == 'string' and not (ops[i + 1] == SET and ARGV[a + 4] == value) then
            most = min(most, math.floor(ARGV[a + 3] / math.max(#value, 1)))
            if most > 0 then
              local length = call('LPUSH', key, ARGV[a] .. value .. ARGV[a + 1])
              if length > most then call('LTRIM', key, 0, most - 1) end
            end
          end
          a = a + 4
        end
      end
    end
    if token then call('SET', token, string.format('%.0f', sequence), 'PX', tokenTtl) end
    results[commits] = sequence
  end
  k, a = nextKey, nextArg
end

for each = 1, keysWaited do
  if waiting[waited[each]] then settle(waited[each]) end
end
if nRemoved > 1 then settle(removed[2]) end
if nValues > 1 then settle(values[2]) end
keepFeeds()
return results
