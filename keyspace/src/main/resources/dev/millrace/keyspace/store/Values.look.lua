-- look: entries of a sorted index with what lies behind them, all at one moment.
--
-- KEYS  1 the index  2 another index in which an entry must be too; may be missing
--       (The values are read too: ARGV[2] .. member .. ARGV[3]; and the lists and what is on them:
--       the last arguments say where. Their keys cannot be named before the lists are known, and
--       share the slot of KEYS[1].)
-- ARGV  1 bytes after which the answer ends, however little there is
--       2 head and 3 tail of a value's key  4 's' string, 'h' hash
--       5 and 6 the lowest and the highest score that is asked for: an entry that got another one among
--       these is still one; empty where only the score that was found counts
--       7 how many entries; then member and score of each
--       Where parts are read along: head and tail of the key of a sorted set that lists them, head
--       and tail of a part's key, 's' or 'h', how many are read of one list
-- Returns {value, value, …} for the first entries: false where there is none, a flat list of fields
-- for a hash, 0 where the entry itself is gone or has another score, as said above. With parts each value has a
-- second thing behind it: {id, value, id, value, …}.

local FIRST = 8
local index, other = KEYS[1], KEYS[2]
local budget, head, tail, kind = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local lowest, highest, count = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local listHead, listTail, partHead, partTail, partKind, mostParts = unpack(ARGV, FIRST + 2 * count)

local members = {}
for i = 1, count do members[i] = ARGV[FIRST + 2 * i - 2] end
local scores = redis.call('ZMSCORE', index, unpack(members))
local others = other and redis.call('ZMSCORE', other, unpack(members))

local bytes = 0
-- A key of another type is not a value; the check reports it.
local function read(valueHead, id, valueTail, valueKind)
  local value = redis.pcall(valueKind == 's' and 'GET' or 'HGETALL', valueHead .. id .. valueTail)
  if type(value) == 'table' then
    if value.err then return false end
    for i = 1, #value do bytes = bytes + #value[i] end
  elseif value then
    bytes = bytes + #value
  end
  return value
end

local function parts(id)
  local listed = redis.pcall('ZRANGE', listHead .. id .. listTail, 0, mostParts - 1)
  if listed.err then return {} end
  local all = {}
  for i = 1, #listed do
    all[2 * i - 1] = listed[i]
    all[2 * i] = read(partHead, listed[i], partTail, partKind)
  end
  return all
end

local function isThere(score, wanted)
  if not score then return false end
  score = tonumber(score)
  if lowest then return score >= lowest and score <= highest end
  return score == tonumber(wanted)
end

local found = {}
for i = 1, count do
  if bytes >= budget then break end
  if isThere(scores[i], ARGV[FIRST + 2 * i - 1]) and (not other or others[i]) then
    found[#found + 1] = read(head, members[i], tail, kind)
    if listHead then found[#found + 1] = parts(members[i]) end
  else
    found[#found + 1] = 0
    if listHead then found[#found + 1] = {} end
  end
end
return found
