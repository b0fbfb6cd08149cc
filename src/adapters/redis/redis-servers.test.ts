import { expect, test } from 'vitest'
import { readRedisUrl } from './redis-servers.ts'

test.each(['redis://cache', 'rediss://:p%40ss@cache:6380/2', 'redis:///run/redis.sock'])(
  '%s is one server, and is passed on unchanged',
  (url) => {
    expect(readRedisUrl(url)).toEqual({ kind: 'one', url })
  },
)

test('a cluster has nodes, with the port of Redis where none is named', () => {
  expect(readRedisUrl('redis+cluster://app:p%40ss@one,two:7000,[::1]:7001')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 6379 },
      { host: 'two', port: 7000 },
      { host: '::1', port: 7001 },
    ],
    tls: false,
    account: { username: 'app', password: 'p@ss' },
  })
})

test('sentinels have a master name, a database and their own account', () => {
  expect(readRedisUrl('rediss+sentinel://:secret@one,two:26380/main/3?sentinel_password=other')).toEqual({
    kind: 'sentinel',
    name: 'main',
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 26_380 },
    ],
    tls: true,
    database: 3,
    account: { password: 'secret' },
    sentinelAccount: { password: 'other' },
  })
  expect(readRedisUrl('redis+sentinel://one/main')).toMatchObject({
    database: 0,
    account: {},
    sentinelAccount: {},
    tls: false,
  })
})
