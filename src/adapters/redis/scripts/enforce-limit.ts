import { BUCKET_LIFE } from './bucket-life.ts'

/**
 * KEYS: entry, then bucket and note of each given day, then of each other day that has a bucket. ARGV: the change as JSON.
 * Looks at everything before it writes anything. Returns 0, with nothing changed, when what was read is too old.
 */
export const ENFORCE_LIMIT = `${BUCKET_LIFE}
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

redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'max_daily_user_limit', change.entry.max, 'enable_limit', change.entry.enable)
for index, bucket in ipairs(change.given) do
  local dayKey, builtKey = KEYS[2 * index], KEYS[2 * index + 1]
  if not lives[index].built then
    fill(dayKey, builtKey, lives[index].id, bucket)
  elseif change.recount then
    fill(dayKey, builtKey, bucket.nextLife, bucket)
  else
    redis.call('HSET', dayKey, 'limit', bucket.limit)
    redis.call('PEXPIREAT', dayKey, bucket.expiresAt)
    redis.call('PEXPIREAT', builtKey, bucket.expiresAt)
  end
end
for index, expiresAt in ipairs(change.others) do
  local place = 2 * (#change.given + index)
  if redis.call('TYPE', KEYS[place]).ok == 'hash' then
    redis.call('HSET', KEYS[place], 'limit', change.limit)
    redis.call('PEXPIREAT', KEYS[place], expiresAt)
    redis.call('PEXPIREAT', KEYS[place + 1], expiresAt)
  end
end
return 1
`
