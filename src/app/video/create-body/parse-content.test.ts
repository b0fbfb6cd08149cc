import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { createAddressCheck } from '../../../domain/addresses/address-check.ts'
import { checkHost } from '../../../domain/addresses/literal-address.ts'
import { parseContent } from './parse-content.ts'

const isPublic = createAddressCheck({ allow: ['127.0.0.0/8'] })
const parse = (content: unknown) =>
  parseContent(content, (url) => checkHost(new URL(url), isPublic) !== 'forbidden')
const refused = (content: unknown) => apiErrorOf(() => parse(content))

const words = { type: 'text', text: 'a cat' }
const media = (type: string, url: unknown) => ({ type, [type]: { url } })

test.each([
  [undefined, 'missing_parameter'],
  [null, 'missing_parameter'],
  [[], 'invalid_parameter'],
  [{}, 'invalid_parameter'],
  ['a cat', 'invalid_parameter'],
  [7, 'invalid_parameter'],
])('400 for a content of %j', (content, code) => {
  expect(refused(content)).toMatchObject({ status: 400, code, param: 'content' })
})

const DROPPED: [name: string, item: unknown][] = [
  ['null', null],
  ['a string', 'a cat'],
  ['a number', 7],
  ['an array', [words]],
  ['an empty object', {}],
  ['no type', { text: 'a cat' }],
  ['an unsupported type', { type: 'file_url', file_url: { url: 'https://media.example/a' } }],
  ['a type in another case', { type: 'Text', text: 'a cat' }],
  ['a type that every object has', { type: 'constructor', text: 'a cat' }],
  ['a type that is no string', { type: ['text'], text: 'a cat' }],
  ['a text without text', { type: 'text' }],
  ['an empty text', { type: 'text', text: '' }],
  ['a blank text', { type: 'text', text: ' \n' }],
  ['a text that is no string', { type: 'text', text: 7 }],
  ['media without its member', { type: 'image_url' }],
  [
    'media with the member of another type',
    { type: 'video_url', image_url: { url: 'https://media.example/a' } },
  ],
  ['media without an object', { type: 'image_url', image_url: 'https://media.example/a' }],
  ['media without url', { type: 'audio_url', audio_url: {} }],
  ['an empty url', media('image_url', '')],
  ['a null url', media('image_url', null)],
]

describe('an incomplete item is dropped', () => {
  test.each(DROPPED)('%s', (_name, item) => {
    expect(parse([item, words, item])).toEqual([{ kind: 'text', text: 'a cat', role: undefined, index: 1 }])
  })

  test('400 when nothing is left', () => {
    const apiError = refused(DROPPED.map(([, item]) => item))
    expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'content' })
    expect(apiError.message).toContain('no valid item')
  })
})

test('extra fields on an item are dropped', () => {
  const url = 'https://media.example/a'
  const item = {
    ...media('video_url', url),
    text: 'a cat',
    image_url: { url: 'http://elsewhere' },
    detail: 'high',
  }
  expect(parse([item])).toEqual([
    { kind: 'video', url, role: undefined, tag: undefined, timeStampSeconds: undefined, index: 0 },
  ])
  expect(parse([{ ...words, image_url: { url: 'http://elsewhere' }, tag: 'a' }])).toEqual([
    { kind: 'text', text: 'a cat', role: undefined, index: 0 },
  ])
})

test('roles and tags are trimmed, a time stamp keeps its fraction', () => {
  const item = {
    ...media('image_url', ' https://media.example/a '),
    role: ' mid_frame ',
    tag: ' cat',
    time_stamp: 1.5,
  }
  expect(parse([item])).toEqual([
    {
      kind: 'image',
      url: 'https://media.example/a',
      role: 'mid_frame',
      tag: 'cat',
      timeStampSeconds: 1.5,
      index: 0,
    },
  ])
})

test.each([{}, 7, '@', ' @ ', ' '])('a tag of %j counts as not given', (tag) => {
  const item = { ...media('image_url', 'https://media.example/a'), role: null, tag, time_stamp: 'soon' }
  expect(parse([item])).toMatchObject([{ role: undefined, tag: undefined, timeStampSeconds: Number.NaN }])
})

test.each([7, true, {}, ['first_frame']])('400 for a role of %j', (role) => {
  for (const item of [media('image_url', 'https://media.example/a'), words]) {
    const apiError = refused([words, { ...item, role }])
    expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'content[1].role' })
  }
  expect(parse([words, { type: 'text', role }])).toHaveLength(1)
})

describe('media URLs', () => {
  test.each([
    'https://media.example/a.png?signature=%2F',
    'HTTPS://Media.Example',
    'https://127.0.0.1:8443/a',
    'https://8.8.8.8/a',
    'https://8.8.8.8',
    'https://8.8.8.8:8443?a=1',
    'https://8.8.8.8#a',
    'https://1.2.3.4.example/a',
    'asset://asset-0192',
  ])('%s is kept as it is', (url) => {
    expect(parse([media('image_url', url)])).toMatchObject([{ url }])
  })

  test.each([
    'http://media.example/a',
    'ftp://media.example/a',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'media.example/a.png',
    'https:media.example',
    'https:///media.example',
    'https://',
    'https://media.example\\@127.0.0.1/',
    'https://me\tdia.example/',
    'https://media example/',
    'https://user:pass@media.example/',
    'asset://',
    'ASSET://asset-1',
    'https://10.0.0.1/a',
    'https://0x0a000001/a',
    'https://167772161/a',
    'https://[::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://169.254.169.254/latest/meta-data',
    // Public to this parser, but other parsers read these hosts differently.
    'https://010.8.8.8/a',
    'https://8.8.8.010:443/a',
    'https://８.8.8.8/a',
    'https://8。8。8。8/a',
    'https://%38.8.8.8/a',
    'https://8.8.8.8./a',
    'https://134744072/a',
    'https://0x8.0x8.0x8.0x8',
    'https://8.8.2056?a',
    'https://127.1/a',
    `https://media.example/${'a'.repeat(8_200)}`,
    `asset://${'a'.repeat(8_200)}`,
  ])('400 for %s, never dropped', (url) => {
    for (const kind of ['image', 'video', 'audio']) {
      const apiError = refused([words, words, media(`${kind}_url`, url)])
      const param = `content[2].${kind}_url.url`
      expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    }
  })
})

describe('bounds', () => {
  test('a text of 100,000 characters is accepted, 400 for one more', () => {
    expect(parse([{ type: 'text', text: 'a'.repeat(100_000) }])).toHaveLength(1)
    const apiError = refused([words, { type: 'text', text: 'a'.repeat(100_001) }])
    expect(apiError).toMatchObject({ code: 'invalid_parameter', param: 'content[1].text' })
  })

  test('128 items are accepted, 400 for one more; dropped items do not count', () => {
    const most = Array.from({ length: 128 }, () => words)
    expect(parse([null, ...most, null])).toHaveLength(128)
    expect(refused([...most, words])).toMatchObject({ code: 'invalid_parameter', param: 'content' })
  })
})
