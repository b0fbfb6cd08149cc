import { describe, expect, test } from 'vitest'
import { Secret } from '../../secret.ts'
import { cidrList } from './cidr-list.ts'
import { host, httpUrl, serverUrl, urlPath } from './http-url.ts'
import { integer } from './integer.ts'
import type { Kind } from './kind.ts'
import { originList } from './origin-list.ts'
import { headerName, oneOf, secretText, text, textList } from './text.ts'
import { timeZone } from './time-zone.ts'

interface Sample {
  kind: Kind<unknown>
  good: [given: string, value: unknown][]
  bad: string[]
}

const database = serverUrl({ schemes: ['postgres', 'postgresql'], example: 'postgres://db/x' })

const SAMPLES: Record<string, Sample> = {
  integer: {
    kind: integer({ min: 1, max: 100 }),
    good: [
      ['1', 1],
      ['100', 100],
      ['007', 7],
    ],
    bad: ['0', '101', '-1', '+1', '1.0', '1e1', '0x1', '1_0', '1,0', 'one', ' 1', '١', '9'.repeat(16)],
  },
  originList: {
    kind: originList,
    good: [
      ['https://a.example', ['https://a.example']],
      [' https://a.example , http://localhost:3000 ', ['https://a.example', 'http://localhost:3000']],
    ],
    bad: [
      ...['', ',', 'https://a.example,', '*', 'null', 'a.example', 'ftp://a.example', 'https://'],
      ...['https://a.example/', 'https://a.example/app', 'https://A.example', 'https://a.example:443'],
      'https://user:pass@a.example',
    ],
  },
  textList: {
    kind: textList,
    good: [
      ['admins', ['admins']],
      [' a b , c/d ', ['a b', 'c/d']],
    ],
    bad: ['', ',', 'a,', 'a,,b', 'a\u0000'],
  },
  urlPath: {
    kind: urlPath,
    good: [
      ['/chat/completions', '/chat/completions'],
      [
        '/openai/deployments/a/chat/completions?api-version=1',
        '/openai/deployments/a/chat/completions?api-version=1',
      ],
    ],
    bad: ['', '/', '//other.example/x', 'v1/chat', 'https://x.example/v1', '/a b', '/a#b', '/ä'],
  },
  host: {
    kind: host,
    good: [
      ['127.0.0.1', '127.0.0.1'],
      ['::', '::'],
      ['localhost', 'localhost'],
      ['gateway-1.internal', 'gateway-1.internal'],
    ],
    bad: ['http://localhost', 'localhost:8080', '1.2.3', '256.1.1.1', 'a b', '-a', '*', 'x/y', '[::1]'],
  },
  'one of': {
    kind: oneOf(['info', 'warn']),
    good: [['info', 'info']],
    bad: ['INFO', 'inf', '', 'toString'],
  },
  'http url': {
    kind: httpUrl,
    good: [
      ['https://api.example.com', 'https://api.example.com'],
      ['https://api.example.com/api/v3//', 'https://api.example.com/api/v3'],
      ['http://127.0.0.1:9/', 'http://127.0.0.1:9'],
      ['HTTPS://EXAMPLE.com/Path', 'https://example.com/Path'],
    ],
    bad: [
      'api.example.com',
      'ftp://example.com',
      'https://',
      'https://user:pass@example.com',
      'https://user@example.com',
      'https://example.com?x=1',
      'https://example.com?',
      'https://example.com#x',
      'https://exa mple.com',
      'https://example.com:99999',
      'javascript:alert(1)',
    ],
  },
  'server url': {
    kind: database,
    good: [],
    bad: [
      'mysql://db/x',
      'db:5432',
      'postgres:/db',
      'postgres://u:p#w@db/x',
      'POSTGRES',
      'postgres://db:port/x',
    ],
  },
  'secret text': {
    kind: secretText({ min: 16, inHeader: true }),
    good: [],
    bad: [
      'x'.repeat(15),
      'key with spaces inside',
      `tab\t${'x'.repeat(20)}`,
      `ü${'x'.repeat(20)}`,
      `${'x'.repeat(20)}\n`,
    ],
  },
  'secret text outside headers': {
    kind: secretText({ min: 4, inHeader: false }),
    good: [],
    bad: ['abc', '💧💧💧'],
  },
  text: {
    kind: text({ takes: 'a name' }),
    good: [['a name', 'a name']],
    bad: ['a\nb', 'a\u0000b', 'a\u001b[2J'],
  },
  'header name': {
    kind: headerName,
    good: [['compat-version', 'compat-version']],
    bad: ['Compat-Version', 'a b', 'a:b', '', 'a\r\nb', '-a'],
  },
  'time zone': {
    kind: timeZone,
    good: [
      ['UTC', 'UTC'],
      ['Europe/Berlin', 'Europe/Berlin'],
      ['Asia/Shanghai', 'Asia/Shanghai'],
    ],
    bad: ['Europe/Nowhere', 'Berlin', '', 'GMT+99'],
  },
  'cidr list': {
    kind: cidrList,
    good: [
      ['127.0.0.0/8', ['127.0.0.0/8']],
      ['10.0.0.0/8, fd00::/8 ,::1/128', ['10.0.0.0/8', 'fd00::/8', '::1/128']],
      ['0.0.0.0/0', ['0.0.0.0/0']],
    ],
    bad: [
      '127.0.0.1',
      '::1',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10/8',
      '010.0.0.0/8',
      'localhost/8',
      '10.0.0.0/8,',
      ',',
      'fe80::1%eth0/64',
      '10.0.0.0/-1',
      '10.0.0.0/ 8',
    ],
  },
}

describe.each(Object.entries(SAMPLES))('%s', (_, { kind, good, bad }) => {
  for (const [given, value] of good) {
    test(`takes ${JSON.stringify(given)}`, () => expect(kind.parse(given)).toEqual({ value }))
  }

  test.each(bad)('refuses %j', (given) => {
    const parsed = kind.parse(given)
    expect(parsed).toHaveProperty('wrong')
    expect(parsed).not.toHaveProperty('value')
  })
})

test.each([
  'postgres://user:pw@db.internal:5432/sluice?sslmode=require',
  'postgresql://db/sluice',
  'postgres://user@/sluice?host=/var/run/postgresql',
  'postgres:///sluice',
])('a database address %s is kept as a secret, unchanged', (given) => {
  const parsed = database.parse(given)
  expect('value' in parsed && parsed.value instanceof Secret && parsed.value.reveal()).toBe(given)
})

test('a secret is kept unchanged', () => {
  const parsed = secretText({ min: 4, inHeader: false }).parse('pass word ü')
  expect('value' in parsed && parsed.value.reveal()).toBe('pass word ü')
})

test('the fault of a range without a length names the length', () => {
  expect(cidrList.parse('::1')).toMatchObject({ fix: 'Write ::1/128 for it alone.' })
})
