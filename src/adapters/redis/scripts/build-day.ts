import { BUCKET_LIFE } from './bucket-life.ts'

/** KEYS: bucket, note. ARGV: the announced life, the bucket as JSON. Returns 1 when there is a bucket now. */
export const BUILD_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
local bucket = cjson.decode(ARGV[2])
if life.built then return 1 end
if life.id ~= ARGV[1] or life.seen > tonumber(bucket.version) then return 0 end
fill(KEYS[1], KEYS[2], life.id, bucket)
return 1
`
