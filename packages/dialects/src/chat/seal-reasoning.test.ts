import { expect, test } from 'vitest'
import { arbitraryText } from '../../../../test/fixtures/text/arbitrary-text.ts'
import { eventsOf, ORIGIN, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { fc } from '../../../../test/random/properties.ts'
import { readChatReply } from './read-stream.ts'
import { openSeal } from './seal-reasoning.ts'

const SEALING = { ...ORIGIN, sealsReasoning: true }

test('reasoning is its own proof, whole and in pieces, and nothing else is sealed', () => {
  const chunks = [
    chunkOf({ reasoning_content: 'Look ' }),
    chunkOf({ reasoning_content: 'up.' }),
    chunkOf({ content: 'Hm.' }, 'stop'),
  ]
  const message = { reasoning_content: 'Look up.', content: 'Hm.' }
  const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
  for (const events of [eventsOf([sseOf(chunks)], SEALING), readChatReply(whole, SEALING)]) {
    const seals = foldBlocks(events).map(({ seal }) => seal && [seal.provider, openSeal(seal.proof)])
    expect(seals).toEqual([['vendorC', 'Look up.'], undefined])
  }
  expect(foldBlocks(eventsOf([sseOf(chunks)])).map(({ seal }) => seal)).toEqual([undefined, undefined])
})

test('every text is restored unchanged', () => {
  fc.assert(
    fc.property(arbitraryText({ minLength: 1 }), (text) => {
      const words = text.toWellFormed()
      const events = eventsOf([sseOf([chunkOf({ reasoning_content: words }), chunkOf({}, 'stop')])], SEALING)
      const [block] = foldBlocks(events)
      expect(block?.seal && openSeal(block.seal.proof)).toBe(words)
    }),
  )
})
