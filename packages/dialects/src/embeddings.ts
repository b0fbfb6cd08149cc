import type { ReplyTokens, StreamError } from './canonical/reply-event.ts'
import { countOf } from './count/count-of.ts'
import { isJsonObject } from './json/json-object.ts'
import type { ScannedUsage } from './passthrough/relay-whole.ts'
import { ReplyScanner, type ScannedReply } from './passthrough/reply-scanner.ts'
import { spliceBytes } from './passthrough/splice-bytes.ts'
import { NOT_A_REPLY } from './passthrough/stream-listener.ts'

interface Embeddings extends ScannedUsage {
  kind: 'reply'
  body: Buffer
  losses: readonly never[]
}

/** Puts the client's model name into a reply of vectors. They are megabytes of numbers, so nothing else is parsed. */
export function readEmbeddings(
  reply: Buffer,
  model: string,
): Embeddings | { kind: 'failed'; failure: StreamError } {
  const scanner = new ReplyScanner({ model })
  const edits = scanner.push(reply)
  const read = readScannedEmbeddings(scanner)
  if ('kind' in read) return { kind: 'failed', failure: read }
  return { kind: 'reply', body: spliceBytes(reply, edits), ...read, losses: [] }
}

/** The vendor's own count, if it counted. Vectors are not paid output. */
export function readScannedEmbeddings({ outline, isWhole }: ScannedReply): ScannedUsage | StreamError {
  const { data, usage } = outline
  if (!isWhole || !Array.isArray(data)) return NOT_A_REPLY
  return { tokens: tokensIn(usage), vendorUsage: usage, outputBytes: 0 }
}

function tokensIn(usage: unknown): ReplyTokens | undefined {
  const { prompt_tokens: prompt, total_tokens: total } = isJsonObject(usage) ? usage : {}
  const input = countOf(prompt) || countOf(total)
  if (input === undefined || input === 0) return undefined
  return { input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
}
