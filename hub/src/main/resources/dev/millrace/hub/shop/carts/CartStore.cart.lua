-- cart: what the scripts about carts have in common. A cart is the hash that everybody knows, item
-- to quantity, and a hash of ours beside it:
--   version   grows with every change
--   updated   when that was, in µs
--   print     of what the cart held then: another program may have changed it since
--   lent      to which merge between two shards, until when in µs; nobody changes it meanwhile
--   keyed, keyedFrom   how many changes carried an idempotency key, counted since when in s
-- Keys that a script makes itself live in the shard of the first one, login:, whose hash tag, if
-- there is one, stands before it.

local function whole(number) return string.format('%.0f', number) end

-- What can be a quantity; another program may have written anything.
local function quantity(text)
  local number = tonumber(text)
  return number and number > 0 and number == math.floor(number) and number < 2 ^ 53 and number
end

local function print_of(items)
  local names = {}
  for name in pairs(items) do names[#names + 1] = name end
  if #names == 0 then return '' end
  table.sort(names)
  for i, name in ipairs(names) do names[i] = #name .. ':' .. name .. '=' .. items[name] end
  return redis.sha1hex(table.concat(names, ';'))
end

local function read(cart, state)
  local flat, items, count = redis.call('HGETALL', cart), {}, 0
  for i = 1, #flat, 2 do
    items[flat[i]] = flat[i + 1]
    count = count + 1
  end
  local kept = redis.call('HMGET', state, 'version', 'updated', 'print', 'lent')
  local now = print_of(items)
  local foreign = now ~= (kept[3] or '')
  return {
    items = items, count = count, print = now, foreign = foreign, lent = kept[4],
    version = (tonumber(kept[1] or '') or 0) + (foreign and 1 or 0), updated = kept[2] or ''
  }
end

-- The cart as a client sees it.
local function answer(word, cart)
  local flat = {}
  for item, text in pairs(cart.items) do
    local number = quantity(text)
    if number then
      flat[#flat + 1] = item
      flat[#flat + 1] = whole(number)
    end
  end
  return {word, whole(cart.version), cart.updated, flat}
end
