/**
 * Functions that the scripts on days share. A bucket is valid only if it and its record exist in the format of these
 * scripts: Redis may evict one of the two, and another program may write another format. An invalid bucket counts as
 * missing, so that the next step replaces it.
 */
const BUCKET_LIFE = `
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

/** Functions that the scripts on a user's entry share. An entry replaces a key of another type. */
const LIMIT_ENTRY = `
local function isSeen(limitKey, seen)
  local entry = {}
  if redis.call('TYPE', limitKey).ok == 'hash' then
    entry = redis.call('HMGET', limitKey, 'max_daily_user_limit', 'enable_limit')
  end
  if seen == cjson.null then return not entry[1] end
  return entry[1] == seen.max and (entry[2] == 'true') == (seen.enable == 'true')
end

local function writeEntry(limitKey, max, enable)
  redis.call('DEL', limitKey)
  redis.call('HSET', limitKey, 'max_daily_user_limit', max, 'enable_limit', enable)
end
`

/**
 * KEYS: bucket, record. ARGV: life of the reservation or '', reserved amount, change, version of the change
 * or '', and '1' for a change that every replica reports. Returns 1 when there is a bucket.
 */
export const APPLY_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
local version = tonumber(ARGV[4])
if life.id and version and version > life.seen then
  redis.call('HSET', KEYS[2], 'seen', ARGV[4])
end
if not life.built then return 0 end
if ARGV[5] == '1' and redis.call('HSETNX', KEYS[2], 'told:' .. ARGV[4], '1') == 0 then return 1 end
local written = version and tonumber(ARGV[3]) or 0
local difference = 0
if life.id == ARGV[1] then
  difference = written - tonumber(ARGV[2])
elseif version and version > life.built then
  difference = written
end
redis.call('HINCRBY', KEYS[1], 'used', string.format('%.0f', difference))
return 1
`

/** KEYS: bucket, record. ARGV: announced life, bucket as JSON. Returns 1 when there is a bucket now. */
export const BUILD_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
local bucket = cjson.decode(ARGV[2])
if life.built then return 1 end
if life.id ~= ARGV[1] or life.seen > tonumber(bucket.version) then return 0 end
fill(KEYS[1], KEYS[2], life.id, bucket)
return 1
`

/** KEYS: bucket and record of each day. ARGV: lifetime of an announcement in ms, then an id for each day. */
export const LOOK_AT_USER = `${BUCKET_LIFE}
local lives = {}
for index = 1, #ARGV - 1 do
  local dayKey, builtKey = KEYS[2 * index - 1], KEYS[2 * index]
  local life = readLife(dayKey, builtKey)
  lives[index] = announce(dayKey, builtKey, life, ARGV[index + 1], ARGV[1])
end
return lives
`

/** KEYS: bucket, record. ARGV: amount, an id for a new life, lifetime of its announcement in ms. */
export const RESERVE_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
if not life.built then
  return { 'absent', announce(KEYS[1], KEYS[2], life, ARGV[2], ARGV[3]) }
end
if life.used + tonumber(ARGV[1]) > life.limit then
  return { 'over', string.format('%.0f', life.limit), string.format('%.0f', life.used) }
end
redis.call('HINCRBY', KEYS[1], 'used', ARGV[1])
return { 'reserved', life.id }
`

/** KEYS: entry. ARGV: entry as read, in JSON; both new values. Returns 0 when the entry has changed. */
export const WRITE_LIMIT = `${LIMIT_ENTRY}
if not isSeen(KEYS[1], cjson.decode(ARGV[1])) then return 0 end
writeEntry(KEYS[1], ARGV[2], ARGV[3])
return 1
`

/**
 * KEYS: entry, bucket and record of each given day, and then of each other day. ARGV: the change as JSON. Checks
 * everything before the first write. Returns 0 and changes nothing when the values that were read are too old.
 */
export const ENFORCE_LIMIT = `${BUCKET_LIFE}${LIMIT_ENTRY}
local change = cjson.decode(ARGV[1])
if not isSeen(KEYS[1], change.seen) then return 0 end

local lives = {}
for index, bucket in ipairs(change.given) do
  local life = readLife(KEYS[2 * index], KEYS[2 * index + 1])
  lives[index] = life
  if not life.built or change.recount then
    if life.id ~= bucket.life or life.seen > tonumber(bucket.version) then return 0 end
  end
end

local function setLimit(dayKey, builtKey, limit, expiresAt)
  redis.call('HSET', dayKey, 'limit', limit)
  redis.call('PEXPIREAT', dayKey, expiresAt)
  redis.call('PEXPIREAT', builtKey, expiresAt)
end

writeEntry(KEYS[1], change.entry.max, change.entry.enable)
for index, bucket in ipairs(change.given) do
  local dayKey, builtKey = KEYS[2 * index], KEYS[2 * index + 1]
  if not lives[index].built then
    fill(dayKey, builtKey, lives[index].id, bucket)
  elseif change.recount then
    fill(dayKey, builtKey, bucket.nextLife, bucket)
  else
    setLimit(dayKey, builtKey, bucket.limit, bucket.expiresAt)
  end
end
for index, expiresAt in ipairs(change.others) do
  local place = 2 * (#change.given + index)
  local dayKey, builtKey = KEYS[place], KEYS[place + 1]
  if toWhole(readHash(dayKey, 'used')[1]) then
    setLimit(dayKey, builtKey, change.limit, expiresAt)
  elseif redis.call('EXISTS', dayKey) == 1 then
    redis.call('DEL', dayKey, builtKey)
  end
end
return 1
`
