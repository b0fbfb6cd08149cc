import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { fc } from '../../../../test/random/properties.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { parseCreateSession } from './operation.ts'

const URL_GIVEN = 'https://c.example/done?a=1#top'
const refused = (body: unknown) => apiErrorOf(() => parseCreateSession(body))

test('a minimal body', () => {
  const expected = { callbackUrl: URL_GIVEN, language: 'zh' }
  expect(parseCreateSession({ callback_url: URL_GIVEN, more: 1 })).toEqual(expected)
})

test.each([[null], [[]], ['text'], [7], [true], [undefined]])('400 for a body of %j', (body) => {
  expect(refused(body)).toMatchObject({ status: 400, code: 'invalid_parameter', param: null })
})

describe('callback_url', () => {
  test.each([
    ' https://c.example/ ',
    'HTTPS://c.example/',
    'https://c.example:8443/x',
    'https://10.0.0.7/intern',
    'https://localhost/app',
    'https://例.example/路',
  ])('%j is accepted, without the blanks around it', (url) => {
    expect(parseCreateSession({ callback_url: url }).callbackUrl).toBe(url.trim())
  })

  test.each([undefined, null, '', '  '])('400 for no url: %j', (url) => {
    expect(refused({ callback_url: url })).toMatchObject({
      status: 400,
      code: 'missing_parameter',
      param: 'callback_url',
      message: 'callback_url is required',
    })
  })

  test.each([
    'http://c.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'app://done',
    '//c.example/',
    '/done',
    'c.example',
    'https:c.example',
    'https:/c.example',
    'https:///c.example',
    'https://',
    'https://?a=1',
    'https://c example/',
    'https://c.example:99999/',
    'https:\\\\c.example\\',
    'https://c.example\\@evil.example/',
    'https://user@c.example/',
    'https://user:pass@c.example/',
    'https://c.exa\tmple/',
    'https://c.example/\r\nset-cookie: a=b',
    `https://c.example/${'x'.repeat(5_000)}`,
    `https://c.example/${'路'.repeat(1_000)}`,
    7,
    true,
    ['https://c.example/'],
    {},
  ])('400 for %j', (url) => {
    expect(refused({ callback_url: url })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'callback_url',
      message: 'callback_url must be a valid https URL',
    })
  })
})

describe('lang', () => {
  const parse = (lang: unknown) => parseCreateSession({ callback_url: URL_GIVEN, lang }).language

  test.each(['zh', 'en', 'zh-Hant'])('%s is taken', (lang) => {
    expect(parse(lang)).toBe(lang)
  })

  test.each([undefined, null, ''])('%j is zh', (lang) => {
    expect(parse(lang)).toBe('zh')
  })

  test.each(['EN', 'zh-hant', 'zh-CN', 'fr', ' en', 'en&x=1', 7, false, ['en'], {}])('400 for %j', (lang) => {
    expect(refused({ callback_url: URL_GIVEN, lang })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'lang',
      message: 'lang must be zh, en, or zh-Hant',
    })
  })
})

test('any JSON value parses or is refused with 400', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.webUrl({ validSchemes: ['https', 'http'] }),
    fc.constantFrom('en'),
  )
  const body = fc.oneof(fc.jsonValue(), fc.record({ callback_url: value, lang: value }, { requiredKeys: [] }))
  fc.assert(
    fc.property(body, (body) => {
      try {
        expect(new URL(parseCreateSession(body).callbackUrl).protocol).toBe('https:')
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ status: 400 })
      }
    }),
  )
})
