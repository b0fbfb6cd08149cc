import { expect, test } from 'vitest'
import { makeHead } from '../../../../test/fixtures/text/responses/fixture.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { UNSEALED } from '../canonical/seal.ts'
import { writeResponsesReply } from './write-stream.ts'

const START: ReplyEvent = { kind: 'reply-start', tokens: undefined }
const DONE: ReplyEvent = { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined }

const sealed = (...events: ReplyEvent[]): ReplyEvent[] => [
  START,
  { kind: 'block-start', block: { kind: 'reasoning' } },
  ...events,
  { kind: 'block-seal', seal: { provider: 'vendorD', proof: 'p.q' } },
  { kind: 'block-end' },
  DONE,
]

test('a client that asks for seals gets them', () => {
  const reasoning = sealed({ kind: 'block-delta', text: 'Hm' })
  const asked = writeResponsesReply(reasoning, makeHead())
  expect(asked.body).toMatchObject({
    output: [{ id: 'rs_1', type: 'reasoning', encrypted_content: 'gw1.vendorD.p.q' }],
  })
  const unasked = writeResponsesReply(reasoning, makeHead({ reasoning: undefined }))
  expect(unasked.body).toMatchObject({ output: [{ id: 'rs_1', encrypted_content: UNSEALED }] })
  expect([...asked.losses, ...unasked.losses]).toEqual([])
})

test('every client gets the seals when the reply has nothing else', () => {
  for (const head of [makeHead(), makeHead({ reasoning: undefined })]) {
    const { body, losses } = writeResponsesReply(sealed(), head)
    expect(body).toMatchObject({ output: [{ summary: [], encrypted_content: 'gw1.vendorD.p.q' }] })
    expect([...losses]).toEqual([])
  }
})

test('seals are declared lost where the vendor made none', () => {
  const bare: ReplyEvent[] = [
    { kind: 'block-start', block: { kind: 'reasoning' } },
    { kind: 'block-delta', text: 'Hm' },
    { kind: 'block-end' },
  ]
  const written = writeResponsesReply([START, ...bare, DONE], makeHead())
  expect([...written.losses]).toEqual(['reasoning_seal'])
  expect(written.body).toMatchObject({ output: [{ type: 'reasoning', encrypted_content: UNSEALED }] })
  expect([...writeResponsesReply([START, ...bare, DONE], makeHead({ reasoning: undefined })).losses]).toEqual(
    [],
  )
})
