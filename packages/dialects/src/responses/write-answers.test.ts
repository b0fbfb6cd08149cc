import type { ResponseOutputMessage, ResponseReasoningItem } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { write } from '../../../../test/fixtures/text/responses/request-parts.ts'
import type { Part, Turn } from '../canonical/request.ts'
import { readReasoningProof, reasoningProof } from './reasoning-proof.ts'

const inputOf = (...turns: Turn[]) => write({ turns }).body.input
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const partOf = (text: string) => ({ kind: 'text', text }) as const

test('text and reasoning of the assistant have the shape of the official schema', () => {
  const seal = { provider: 'vendorC', proof: reasoningProof('rs_1', 'sealed') }
  const [thought, answer] = inputOf(
    assistant({ kind: 'reasoning', text: 'Hm', seal, hidden: false }, partOf('Well')),
  )
  const officialThought: ResponseReasoningItem = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Hm' }],
    encrypted_content: 'sealed',
  }
  const officialAnswer: ResponseOutputMessage = {
    type: 'message',
    id: expect.any(String),
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Well', annotations: [], logprobs: [] }],
  }
  expect(thought).toEqual(officialThought)
  expect(answer).toEqual(officialAnswer)
})

test('an answer keeps its id while the conversation grows, so that the vendor finds it in its cache', () => {
  const [first] = inputOf(assistant(partOf('Well')))
  const [again] = inputOf(assistant(partOf('Well')), user(partOf('And?')), assistant(partOf('Bye')))
  expect(again).toEqual(first)
})

test.each<[proof: string, read: object]>([
  ['rs_1:sealed:twice', { id: 'rs_1', encryptedContent: 'sealed:twice' }],
  ['gAAAAAB==', { id: undefined, encryptedContent: 'gAAAAAB==' }],
  ['other:sealed', { id: undefined, encryptedContent: 'other:sealed' }],
  [reasoningProof(undefined, 'sealed'), { id: undefined, encryptedContent: 'sealed' }],
  [reasoningProof('an id with blanks', 'sealed'), { id: undefined, encryptedContent: 'sealed' }],
])('the proof %j', (proof, read) => {
  expect(readReasoningProof(proof)).toEqual(read)
})
