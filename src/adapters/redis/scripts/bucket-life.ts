/**
 * What the scripts on days share. A bucket counts only together with the note of its life: one of the two alone was left
 * by an eviction or written by somebody else.
 */
export const BUCKET_LIFE = `
local function readLife(dayKey, builtKey)
  local noted = redis.call('HMGET', builtKey, 'life', 'built', 'seen')
  local life = { id = noted[1], seen = tonumber(noted[3] or 0) }
  if not noted[1] or not noted[2] then return life end
  if redis.call('TYPE', dayKey).ok == 'hash' then
    local bucket = redis.call('HMGET', dayKey, 'limit', 'used')
    if bucket[1] and bucket[2] then
      life.limit, life.used, life.built = bucket[1], bucket[2], tonumber(noted[2])
      return life
    end
  end
  return { id = false, seen = 0 }
end

local function announce(dayKey, builtKey, life, newId, announcedMs)
  if life.id then return life.id end
  redis.call('DEL', dayKey, builtKey)
  redis.call('HSET', builtKey, 'life', newId)
  redis.call('PEXPIRE', builtKey, announcedMs)
  return newId
end

local function fill(dayKey, builtKey, id, bucket)
  redis.call('DEL', dayKey, builtKey)
  redis.call('HSET', dayKey, 'limit', bucket.limit, 'used', bucket.used)
  redis.call('HSET', builtKey, 'life', id, 'built', bucket.version, 'seen', bucket.version)
  redis.call('PEXPIREAT', dayKey, bucket.expiresAt)
  redis.call('PEXPIREAT', builtKey, bucket.expiresAt)
end

local function isSeen(limitKey, seen)
  local entry = redis.call('HMGET', limitKey, 'max_daily_user_limit', 'enable_limit')
  if seen == cjson.null then return not entry[1] end
  return entry[1] == seen.max and (entry[2] == 'true') == (seen.enable == 'true')
end
`
