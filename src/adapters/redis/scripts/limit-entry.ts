/** What the scripts on a user's entry share. A key of another kind is no entry, and gives way to one. */
export const LIMIT_ENTRY = `
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
