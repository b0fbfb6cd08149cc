import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '../../domain/api-error.ts'
import { readForm } from './form-body.ts'

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

const TYPE = 'multipart/form-data; boundary=edge'

function formOf(parts: readonly (readonly [head: string, content: string])[], boundary = 'edge'): Buffer {
  const written = parts.map(
    ([head, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  )
  return Buffer.from(`${written.join('')}--${boundary}--\r\n`)
}

const read = (form: Buffer, type = TYPE) => JSON.parse(readForm(form, type).json.toString())

test('fields, members of fields and files of a form become one object', () => {
  const form = formOf([
    ['name="prompt"', 'a cat\r\n--edg\r\non a raft: ü'],
    ['name="metadata[a]"', '1'],
    ['name="metadata[b]"', ''],
    ['name="input_reference"; filename="a.png"\r\nContent-Type: image/png', 'bytes'],
    ['name="a%22b"', 'x'],
  ])
  expect(read(form)).toEqual({
    prompt: 'a cat\r\n--edg\r\non a raft: ü',
    metadata: { a: '1', b: '' },
    input_reference: { filename: 'a.png', bytes: 5, sha256: sha256Of('bytes') },
    'a"b': 'x',
  })
  expect(readForm(form, TYPE).files).toEqual(new Map([['input_reference', Buffer.from('bytes')]]))
})

test('the form of Node and a quoted boundary are read', async () => {
  const form = new FormData()
  form.set('prompt', 'a cat')
  form.set('file', new Blob(['12345']), 'clip.mp4')
  const sent = new Response(form)
  const type = sent.headers.get('content-type') ?? ''
  expect(read(Buffer.from(await sent.arrayBuffer()), type)).toEqual({
    prompt: 'a cat',
    file: { filename: 'clip.mp4', bytes: 5, sha256: sha256Of('12345') },
  })
  const quoted = formOf([['name="a"', 'b']], 'an edge')
  expect(read(quoted, 'multipart/form-data; charset=utf-8; boundary="an edge"')).toEqual({ a: 'b' })
})

test('a member named __proto__ is a member', () => {
  expect(readForm(formOf([['name="__proto__[a]"', 'b']]), TYPE).json.toString()).toBe(
    '{"__proto__":{"a":"b"}}',
  )
})

test('512 parts are read, with one more the form is refused', () => {
  const parts = (count: number) =>
    formOf(Array.from({ length: count }, (_, index) => [`name="a[${index}]"`, ''] as const))
  expect(Object.keys(read(parts(512)).a)).toHaveLength(512)
  expect(() => readForm(parts(513), TYPE)).toThrow(ApiError)
})

test.each([
  ['is empty', ''],
  ['has no boundary in it', 'no form'],
  ['has no end', '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'],
  ['has a part without a name', '--edge\r\nContent-Disposition: form-data\r\n\r\nb\r\n--edge--'],
  ['has a part without a header', '--edge\r\n\r\nb\r\n--edge--'],
  [
    'has a part without an end of its header',
    '--edge\r\nContent-Disposition: form-data; name="a"\r\n--edge--',
  ],
  [
    'has a header over 4 KiB',
    `--edge\r\nContent-Disposition: form-data; name="${'a'.repeat(4_096)}"\r\n\r\n\r\n--edge--`,
  ],
  ['has text after a boundary', '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--edgec--'],
])('a form that %s is refused', (_, form) => {
  expect(() => readForm(Buffer.from(form), TYPE)).toThrow('The form cannot be read.')
})

test('fields of more than 1 MiB are refused, before they become JSON of six times their size, and files are not', () => {
  const field = formOf([['name="prompt"', '\u0001'.repeat(1024 * 1024)]])
  expect(() => readForm(field, TYPE)).toThrow(new ApiError('body_too_large'))
  const file = formOf([['name="input_reference"; filename="a"', '\u0001'.repeat(1024 * 1024)]])
  expect(readForm(file, TYPE).files.get('input_reference')).toHaveLength(1024 * 1024)
})
