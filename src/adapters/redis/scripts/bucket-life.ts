/**
 * What the scripts on days share. A bucket counts only together with the note of its life, and both only when they have
 * the form that we write: one of the two alone was left by an eviction, and any other form was written by another program.
 * Such a bucket counts as missing, so that the next step makes it anew instead of failing at it each time.
 */
export const BUCKET_LIFE = `
local function readHash(key, ...)
  if redis.call('TYPE', key).ok ~= 'hash' then return {} end
  return redis.call('HMGET', key, ...)
end

local function toWhole(text)
  if text and #text <= 17 and string.match(text, '^%-?%d+$') then return tonumber(text) end
  return nil
end

local function readLife(dayKey, builtKey)
  local noted = readHash(builtKey, 'life', 'built', 'seen')
  local none = { id = false, seen = 0 }
  if not noted[1] then return none end
  local life = { id = noted[1], seen = toWhole(noted[3] or '0') }
  if not life.seen then return none end
  if not noted[2] then return life end
  local bucket = readHash(dayKey, 'limit', 'used')
  life.limit, life.used, life.built = toWhole(bucket[1]), toWhole(bucket[2]), toWhole(noted[2])
  if life.limit and life.used and life.built then return life end
  return none
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
`
