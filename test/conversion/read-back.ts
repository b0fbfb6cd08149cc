import type { ReadStream, ToolNames } from '@sluice/dialects/canonical/codec'
import { createGuard } from '@sluice/dialects/canonical/guard'
import type { ReplyEvent } from '@sluice/dialects/canonical/reply-event'
import { createFrameSplitter } from '@sluice/dialects/sse/split-frames'

/** Events of a reader for these pieces, and whether the guard let all of them through unchanged. */
export function readBack(
  readStream: ReadStream,
  pieces: readonly Buffer[],
  toolNames: ToolNames = new Map(),
): { read: ReplyEvent[]; guarded: ReplyEvent[]; wasGrammatical: boolean } {
  const read: ReplyEvent[] = []
  const guarded: ReplyEvent[] = []
  const guard = createGuard((event) => guarded.push(event))
  const reader = readStream({ provider: 'vendorX', toolNames }, (event) => {
    read.push(event)
    guard(event)
  })
  const splitter = createFrameSplitter((name, data) => reader.frame(name, data), { maxFrameBytes: 1_000_000 })
  for (const piece of pieces) splitter.push(piece)
  splitter.end()
  reader.close()
  const wasGrammatical =
    read.length === guarded.length && read.every((event, place) => event === guarded[place])
  return { read, guarded, wasGrammatical }
}

/** Everything that was said, in its order. */
export function saidIn(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.kind === 'block-delta' ? event.text : '')).join('')
}
