
-- Whether the visitor whose cart it is has a session that lives. A dead one that was not cleaned
-- yet goes now: its cleaning would take the cart along, which is in use.
local function lives(token, session, now, idle)
  local user = redis.call('HGET', KEYS[1], token)
  local seen = tonumber(redis.call('ZSCORE', KEYS[2], token) or '')
  local extra = redis.call('HMGET', session, 'ttl', 'user')
  if not user then return false, seen, extra[2] end
  return not seen or seen + (tonumber(extra[1] or '') or idle) > now / 1000000, true, extra[2]
end

local function bury(token, session, listed)
  local home = string.sub(KEYS[1], 1, -7)
  redis.call('HDEL', KEYS[1], token)
  redis.call('ZREM', KEYS[2], token)
  redis.call('ZREM', KEYS[3], token)
  if listed then redis.call('ZREM', home .. 'millrace:user-sessions:' .. listed, token) end
  redis.call('DEL', session, home .. 'viewed:' .. token)
end

-- A cart lives with its session, and without one for a time of its own.
local function keep(token, session, cart, state, now, idle, cartIdle)
  local living, dead, listed = lives(token, session, now, idle)
  if living then
    redis.call('ZADD', KEYS[2], string.format('%.6f', now / 1000000), token)
    redis.call('PERSIST', cart)
    redis.call('PERSIST', state)
  else
    if dead then bury(token, session, listed) end
    redis.call('EXPIRE', cart, cartIdle)
    redis.call('EXPIRE', state, cartIdle)
  end
end

-- Whether a merge has it for itself.
local function is_lent(cart, now)
  local till = cart.lent and tonumber(string.match(cart.lent, ' (%d+)$'))
  return till and till > now
end

-- Changes the lines of a cart in memory; says why not, if that cannot be.
--   set      these quantities         add      these more, or less
--   replace  these and nothing else   max, sum, theirs, ours   these are of another cart
local function apply(cart, kind, pairs_of, largest, most)
  if kind == 'replace' then cart.items, cart.count = {}, 0 end
  for i = 1, #pairs_of, 2 do
    local item, number = pairs_of[i], tonumber(pairs_of[i + 1])
    local before = quantity(cart.items[item] or '')
    local after = number
    if kind == 'add' then
      after = (before or 0) + number
    elseif before and kind == 'max' then
      after = math.max(before, number)
    elseif before and kind == 'sum' then
      after = math.min(before + number, math.max(before, largest))
    elseif before and kind == 'ours' then
      after = before
    end
    if kind == 'add' and after > largest and number > 0 then return 'large' end
    if after <= 0 then
      if cart.items[item] then cart.count = cart.count - 1 end
      cart.items[item] = nil
    else
      if not cart.items[item] then
        cart.count = cart.count + 1
        if cart.count > most then return 'many' end
      end
      cart.items[item] = whole(after)
    end
  end
end

-- Writes what is different from before.
local function write(key, state, cart, before, now)
  local now_print = print_of(cart.items)
  if now_print ~= cart.print then
    for item in pairs(before) do
      if not cart.items[item] then redis.call('HDEL', key, item) end
    end
    for item, text in pairs(cart.items) do
      if before[item] ~= text then redis.call('HSET', key, item, text) end
    end
    cart.version, cart.updated = cart.version + 1, whole(now)
  end
  if now_print ~= cart.print or cart.foreign then
    redis.call('HSET', state, 'version', whole(cart.version), 'updated', cart.updated, 'print', now_print)
  end
  redis.call('HDEL', state, 'lent')
end

local function copy(items)
  local same = {}
  for item, text in pairs(items) do same[item] = text end
  return same
end

-- What an idempotency key was answered before: nothing, 'reused' for another change, or the cart.
local function told(once, print)
  local kept = once and redis.call('GET', once)
  if not kept then return nil end
  local parts = cjson.decode(kept)
  if parts[1] ~= print then return 'reused' end
  local flat = {}
  for i = 4, #parts do flat[#flat + 1] = parts[i] end
  return {'again', parts[2], parts[3], flat}
end

-- Whether one more key would be too many for a day.
local function too_many_keys(state, now, most)
  local counted = redis.call('HMGET', state, 'keyed', 'keyedFrom')
  local from = tonumber(counted[2] or '') or 0
  return now / 1000000 - from < 86400 and (tonumber(counted[1] or '') or 0) >= most
end

local function remember(once, print, state, reply, now)
  local parts = {print, reply[2], reply[3]}
  for _, part in ipairs(reply[4]) do parts[#parts + 1] = part end
  redis.call('SET', once, cjson.encode(parts), 'EX', '86400')
  local from = tonumber(redis.call('HGET', state, 'keyedFrom') or '') or 0
  if now / 1000000 - from >= 86400 then
    redis.call('HSET', state, 'keyedFrom', whole(now / 1000000), 'keyed', '0')
  end
  redis.call('HINCRBY', state, 'keyed', 1)
end
