import { BUCKET_LIFE } from './bucket-life.ts'
import { LIMIT_ENTRY } from './limit-entry.ts'

/**
 * KEYS: entry, then bucket and note of each given day, then of each other day. ARGV: the change as JSON.
 * Looks at everything before it writes anything. Returns 0, with nothing changed, when what was read is too old.
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
