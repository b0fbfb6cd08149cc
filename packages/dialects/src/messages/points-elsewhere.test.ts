import { expect, test } from 'vitest'
import { messagesReferenceVendorState } from './references.ts'

const FILE = { type: 'file', file_id: 'file_1' }
const saying = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] })

test.each<[what: string, body: object, points: boolean]>([
  ['plain words', { messages: [{ role: 'user', content: 'file_id' }] }, false],
  ['a document in a file', saying({ type: 'text', text: 'x' }, { type: 'document', source: FILE }), true],
  ['an image in a file', saying({ type: 'image', source: FILE }), true],
  ['a file for a container', saying({ type: 'container_upload', file_id: 'file_1' }), true],
  ['a file in a result', saying({ type: 'tool_result', content: [{ type: 'image', source: FILE }] }), true],
  [
    'a file in a document of blocks',
    saying({ type: 'document', source: { type: 'content', content: [{ type: 'image', source: FILE }] } }),
    true,
  ],
  [
    'an inline image',
    saying({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }),
    false,
  ],
  ["a tool's own input", saying({ type: 'tool_use', input: { file_id: 'x', source: FILE } }), false],
  ['a container', { ...saying(), container: 'container_1' }, true],
  ['a container with skills', { ...saying(), container: { skills: [{ skill_id: 'pdf' }] } }, true],
  ['no container', { ...saying(), container: null }, false],
  ['a continued thread', { ...saying(), thread: { type: 'continue', previous_message_id: 'msg_1' } }, true],
  ['a thread that begins', { ...saying(), thread: { type: 'create' } }, false],
  ['no thread', { ...saying(), thread: null }, false],
])('%s: %s', (_, body, points) => {
  expect(messagesReferenceVendorState({ ...body })).toBe(points)
})
