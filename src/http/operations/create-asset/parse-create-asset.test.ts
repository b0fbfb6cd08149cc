import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { fc } from '../../../../test/random/properties.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { parseCreateAsset } from './operation.ts'

const VALID = { url: 'https://m.example/a.png?s=1', asset_type: 'Image' }

const parse = (body: unknown) => parseCreateAsset(body, (url) => !url.includes('private'))
const parseWith = (more: object) => parse({ ...VALID, ...more })
const refused = (more: object) => apiErrorOf(() => parseWith(more))

test('a minimal body', () => {
  expect(parse({ ...VALID, model: 'ignored' })).toEqual({
    url: 'https://m.example/a.png?s=1',
    type: 'Image',
    groupId: undefined,
    name: undefined,
  })
})

test('a body with every field', () => {
  expect(parse({ ...VALID, url: ' https://m.example/a ', group_id: 'g-1', name: ' my face ' })).toEqual({
    url: 'https://m.example/a',
    type: 'Image',
    groupId: 'g-1',
    name: ' my face ',
  })
})

test.each([[null], [[]], ['text'], [7], [true], [undefined]])('400 for a body of %j', (body) => {
  expect(apiErrorOf(() => parse(body))).toMatchObject({ status: 400, code: 'invalid_parameter', param: null })
})

describe('url', () => {
  test.each([undefined, null, ''])('400 for no url: %j', (url) => {
    const expected = { status: 400, code: 'missing_parameter', param: 'url', message: 'url is required.' }
    expect(refused({ url })).toMatchObject(expected)
  })

  test.each([
    'http://m.example/a.png',
    'asset://asset-1',
    'data:image/png;base64,AAAA',
    'm.example/a.png',
    'https:///a.png',
    'https:\\\\m.example',
    'https://m.exa\nmple/',
    'https://user:pass@m.example/a.png',
    'https://private.example/a.png',
    'https://',
    '   ',
    7,
    ['https://m.example/a.png'],
    {},
  ])('400 for %j', (url) => {
    expect(refused({ url })).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'url' })
  })
})

describe('asset_type', () => {
  test.each(['Image', 'Video', 'Audio'])('%s is taken', (type) => {
    expect(parseWith({ asset_type: type }).type).toBe(type)
  })

  test.each([undefined, null, ''])('400 for no type: %j', (type) => {
    expect(refused({ asset_type: type })).toMatchObject({
      status: 400,
      code: 'missing_parameter',
      param: 'asset_type',
      message: 'asset_type is required.',
    })
  })

  test.each(['image', 'IMAGE', ' Image', 'Text', 'constructor', 0, true, ['Image'], {}])(
    '400 for %j',
    (type) => {
      expect(refused({ asset_type: type })).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        param: 'asset_type',
        message: 'asset_type must be Image, Video, or Audio.',
      })
    },
  )
})

describe('group_id', () => {
  test.each([undefined, null, ''])('%j is the default group', (groupId) => {
    expect(parseWith({ group_id: groupId }).groupId).toBeUndefined()
  })

  test.each([7, false, ['g-1'], {}])('400 for %j', (groupId) => {
    expect(refused({ group_id: groupId })).toMatchObject({
      status: 400,
      code: 'group_id_error',
      param: 'group_id',
      message: 'group id error',
    })
  })
})

describe('name', () => {
  test.each(['a', 'x'.repeat(64), '名'.repeat(64), '𠮷'.repeat(64)])('%j is taken', (name) => {
    expect(parseWith({ name }).name).toBe(name)
  })

  test.each([undefined, null, ''])('%j counts as no name', (name) => {
    expect(parseWith({ name }).name).toBeUndefined()
  })

  test.each(['x'.repeat(65), '名'.repeat(65), '𠮷'.repeat(65), 'x'.repeat(1_000_000), 7, true, ['a'], {}])(
    '400 for %j',
    (name) => {
      expect(refused({ name })).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        param: 'name',
        message: 'name must be a string of at most 64 characters.',
      })
    },
  )
})

test('any JSON value parses or is refused with 400', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('Image', 'https://m.example/'))
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({ url: value, asset_type: value, group_id: value, name: value }, { requiredKeys: [] }),
  )
  fc.assert(
    fc.property(body, (body) => {
      try {
        expect(parse(body).url).toMatch(/^https:\/\//i)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ status: 400 })
      }
    }),
  )
})
