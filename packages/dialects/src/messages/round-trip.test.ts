import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../../test/fixtures/text/arbitrary-events.ts'
import { type FoldedBlock, foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { HEAD } from '../../../../test/fixtures/text/messages/fixture.ts'
import { JUDGES } from '../../../../test/fixtures/text/messages/judge.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import type { ToolNames } from '../canonical/codec.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readSeal, UNSEALED } from '../canonical/seal.ts'
import { createFrameSplitter } from '../sse/split-frames.ts'
import { readMessagesReply, readMessagesStream } from './read-stream.ts'
import { writeMessagesReply, writeMessagesStream } from './write-stream.ts'

const RUNS = runs(2_000)

function writeSse(events: readonly ReplyEvent[]): string {
  const writer = writeMessagesStream(HEAD)
  return events.map((event) => writer.write(event)).join('')
}

/** Reads a stream through the guard, in chunks of `chunkBytes`, with each end of line spelled as `lineEnd`. */
function readSse(sse: string, { chunkBytes, lineEnd, toolNames }: Reading): ReplyEvent[] {
  const events: ReplyEvent[] = []
  const guard = createGuard((event) => events.push(event))
  const reader = readMessagesStream({ provider: 'vendorD', toolNames }, guard)
  const splitter = createFrameSplitter((name, data) => reader.frame(name, data), { maxFrameBytes: 1_000_000 })
  const bytes = Buffer.from(sse.replaceAll('\n', lineEnd))
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.push(bytes.subarray(at, at + chunkBytes))
  splitter.end()
  reader.close()
  return events
}

interface Reading {
  chunkBytes: number
  lineEnd: string
  toolNames: ToolNames
}

const arbitraryReading = fc.record({
  chunkBytes: fc.constantFrom(1, 2, 7, 1_000_000),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
})

/** Names as a conversion of the request returns them. If two tools share a name, the last one counts. */
function namesOf(blocks: readonly FoldedBlock[]): ToolNames {
  const names = new Map<string, { name: string; namespace: string | undefined; input: 'json' | 'text' }>()
  for (const { head } of blocks) {
    if (head.kind === 'tool-call') {
      names.set(head.name, { name: head.name, namespace: head.namespace, input: head.input })
    }
  }
  return names
}

/**
 * The blocks as this dialect shows them: a refusal becomes text, and empty reasoning and blocks of other dialects are
 * left out.
 */
function showable(blocks: readonly FoldedBlock[], names: ToolNames): unknown[] {
  return blocks
    .filter(({ head, text, seal }) => {
      if (head.kind === 'opaque') return head.origin === 'messages'
      return head.kind !== 'reasoning' || text !== '' || seal !== undefined
    })
    .map(({ head, text, seal }) => {
      if (head.kind === 'refusal') return { head: { kind: 'text' }, text, seal }
      if (head.kind !== 'tool-call') return { head, text, seal }
      const own = names.get(head.name)
      return { head: { ...head, ...own }, text: own?.input === head.input ? text : undefined, seal }
    })
}

/** Unwraps seals, and ignores the text of calls whose names clash. */
function unwrapped(blocks: readonly FoldedBlock[], sent: readonly unknown[]): unknown[] {
  return blocks.map(({ head, text, seal }, place) => {
    const proof = seal?.proof.replace(/^redacted:/, '')
    const before = sent[place]
    const isClash =
      typeof before === 'object' && before !== null && 'text' in before && before.text === undefined
    const own = proof === undefined || proof === UNSEALED ? undefined : readSeal(proof)
    return { head, text: isClash ? undefined : text, seal: own }
  })
}

test('any written stream can be read back in pieces of any size', { timeout: 240_000 }, () => {
  fc.assert(
    fc.property(arbitraryEvents({ failures: false }), arbitraryReading, (events, reading) => {
      const blocks = foldBlocks(events)
      const toolNames = namesOf(blocks)
      const back = readSse(writeSse(events), { ...reading, toolNames })
      const sent = showable(blocks, toolNames)
      expect(unwrapped(foldBlocks(back), sent)).toEqual(sent)
      expect(back.at(-1)?.kind).toBe('reply-end')
    }),
    runs(1_000),
  )
})

test('a whole reply is its stream put together', () => {
  fc.assert(
    fc.property(arbitraryEvents({ failures: false }), (events) => {
      const blocks = foldBlocks(events)
      const toolNames = namesOf(blocks)
      fc.pre(blocks.every((block) => isOwnKind(block, toolNames)))
      const { body } = writeMessagesReply(events, HEAD)
      const whole = readMessagesReply(JSON.parse(JSON.stringify(body)), { provider: 'vendorD', toolNames })
      const streamed = readSse(writeSse(events), { chunkBytes: 1_000_000, lineEnd: '\n', toolNames })
      expect(foldBlocks(whole).map(byValue)).toEqual(foldBlocks(streamed).map(byValue))
      expect(whole.at(-1)).toEqual(streamed.at(-1))
    }),
    RUNS,
  )
})

/** Two calls may have the same name by chance; `names` then has the kind of only one of them. */
function isOwnKind({ head }: FoldedBlock, names: ToolNames): boolean {
  return head.kind !== 'tool-call' || names.get(head.name)?.input === head.input
}

/** Parses the arguments of calls: JSON has many spellings, and empty arguments mean an empty object. */
function byValue({ head, text, seal }: FoldedBlock): unknown {
  const isJson = head.kind === 'tool-call' && head.input === 'json'
  return { head, seal, text: isJson ? JSON.parse(text || '{}') : text }
}

test('a failure is an error event, always the last one', () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const names: (string | undefined)[] = []
      const splitter = createFrameSplitter((name) => names.push(name), { maxFrameBytes: 1_000_000 })
      splitter.push(Buffer.from(writeSse(events)))
      splitter.end()
      const isFailed = events.at(-1)?.kind === 'reply-failed'
      expect(names.at(-1)).toBe(isFailed ? 'error' : 'message_stop')
      expect(names.filter((name) => name === 'error' || name === 'message_stop')).toHaveLength(1)
    }),
    RUNS,
  )
})

test('the official client can read every stream', async () => {
  const judge = JUDGES['sdk 1']
  await fc.assert(
    fc.asyncProperty(arbitraryEvents({ failures: false }), async (events) => {
      const final = await judge?.stream(writeSse(events))
      expect(final).toMatchObject(JSON.parse(JSON.stringify(writeMessagesReply(events, HEAD).body)))
    }),
    runs(300),
  )
})
