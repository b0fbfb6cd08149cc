import { createHash } from 'node:crypto'
import { lengthOf } from '../answer.ts'
import type { ModelRequest } from '../model-request.ts'
import { countInput, countTurn, headTexts, tokensOf } from './count-tokens.ts'

/** Remembers earlier prefixes of conversations. */
export interface PromptCache {
  /** Disjoint counts of the input's tokens. */
  count(modelRequest: ModelRequest): { input: number; cacheRead: number; cacheWrite: number }
}

/** Shorter prefixes are not cached, as with the real vendors. */
const TOKENS_MIN = 1_024
const ENTRIES_MAX = 1_000
/** Step of the vendor's automatic cache, in tokens. */
const AUTO_STEP = 128

interface Beginning {
  key: string
  tokens: number
}

export function createPromptCache(): PromptCache {
  const known = new Set<string>()
  const remember = ({ key }: Beginning) => {
    known.delete(key)
    known.add(key)
    const [oldest] = known
    if (known.size > ENTRIES_MAX && oldest !== undefined) known.delete(oldest)
  }
  return {
    count(modelRequest) {
      const total = countInput(modelRequest)
      const beginnings = total < TOKENS_MIN ? [] : beginningsOf(modelRequest)
      const found = beginnings.findLast(({ key }) => known.has(key))?.tokens ?? 0
      for (const beginning of beginnings) remember(beginning)
      const isMarked = modelRequest.cache.kind === 'marked'
      const cacheRead = Math.min(isMarked ? found : Math.floor(found / AUTO_STEP) * AUTO_STEP, total)
      const cacheWrite = isMarked ? Math.min(total, beginnings.at(-1)?.tokens ?? 0) - cacheRead : 0
      return { input: total - cacheRead - cacheWrite, cacheRead, cacheWrite }
    },
  }
}

/** Every prefix that may be cached and is long enough, the shortest first. */
function beginningsOf(modelRequest: ModelRequest): Beginning[] {
  const { cache, turns, model } = modelRequest
  if (cache.kind === 'none') return []
  const last = cache.kind === 'auto' ? turns.length : cache.turns
  const head = headTexts(modelRequest)
  const hash = createHash('sha1').update(model)
  for (const text of head) hash.update('\0').update(text)
  const beginnings: Beginning[] = []
  let tokens = tokensOf(lengthOf(head))
  for (let at = 0; at <= last; at += 1) {
    if (tokens >= TOKENS_MIN) beginnings.push({ key: hash.copy().digest('base64'), tokens })
    const turn = turns[at]
    if (turn === undefined) break
    tokens += countTurn(turn)
    hash.update('\0\0').update(turn.role)
    for (const text of turn.texts) hash.update('\0').update(text)
  }
  return beginnings
}
