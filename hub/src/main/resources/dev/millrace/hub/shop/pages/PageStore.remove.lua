-- remove: what several scripts do to pages. Every key of a page is made from its hash and lies in the
-- shard of KEYS; its beginning is told in ARGV, so that it is spelled in one place only.

local function shard_of(key)
  return string.match(key, '^({[^}]*})') or ''
end

-- The pages of these hashes, from everything but their groups, whose entries end by themselves.
local function remove(shard, body, page, pages, sizes, hashes)
  local gone = 0
  for _, hash in ipairs(hashes) do
    gone = gone + redis.call('UNLINK', shard .. page .. hash)
    redis.call('UNLINK', shard .. body .. hash)
    redis.call('ZREM', pages, hash)
    local size = redis.call('HGET', sizes, hash)
    if size then
      redis.call('HDEL', sizes, hash)
      redis.call('HINCRBY', sizes, 'all', -tonumber(size))
    end
  end
  return gone
end
