import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import { createResolver } from '../../../src/adapters/outbound/resolve-name.ts'
import { type DnsServer, startDnsServer } from './harness/dns-server.ts'
import { type RecordedMetrics, recordMetrics } from './harness/recorded-metrics.ts'
import { startTlsTarget, type TlsTarget, trustTestAuthority } from './harness/tls-target.ts'

const HANGING = 40

describe('look-ups of foreign names', () => {
  let dns: DnsServer
  let target: TlsTarget
  let metrics: RecordedMetrics
  let distrust: () => void

  beforeAll(() => {
    distrust = trustTestAuthority()
  })
  afterAll(() => distrust())
  beforeEach(async () => {
    metrics = recordMetrics()
    target = await startTlsTarget((_request, response) => response.end('taken'))
    dns = await startDnsServer((name) => {
      if (name.endsWith('.hang.test')) return 'hang'
      return name.endsWith('callback.test') ? ['127.0.0.1'] : 'none'
    })
  })
  afterEach(async () => {
    await target.close()
    await dns.close()
  })

  const noFiles = { hostsFile: '/nowhere/hosts', resolverFile: '/nowhere/resolv.conf' }
  const resolver = (changes = {}) => createResolver({ servers: [dns.address], ...noFiles, ...changes })
  const opened = () => {
    const client = createGuardedClient({
      ...{ allow: ['127.0.0.0/8'], connections: 64, queueLimit: 256, queueWaitMs: 60_000 },
      ...{ connectTimeoutMs: 60_000, metrics, resolve: resolver({ timeoutMs: 60_000, tries: 1 }) },
    })
    return (holder: string, host: string, signal = new AbortController().signal) =>
      client.send({
        ...{ operation: 'callback', holder, url: `https://${host}:${target.port}/`, method: 'GET' },
        ...{ headers: {}, totalTimeoutMs: 60_000, maxBytes: 1_000, signal },
      })
  }
  const busy = () => metrics.pools.get('guarded')?.().busy

  it(`${HANGING} calls to names that hang delay no call of another organization`, async () => {
    const send = opened()
    const over = new AbortController()
    const hanging = Array.from({ length: HANGING }, (_, call) =>
      send('org_a', `name-${call}.hang.test`, over.signal),
    )
    const endings = Promise.allSettled(hanging)
    await expect.poll(() => dns.asked.length).toBeGreaterThan(0)
    for (let call = 0; call < 3; call += 1) expect((await send('org_b', 'callback.test')).status).toBe(200)
    // One organization has only a quarter of the slots.
    await expect.poll(busy).toBe(16)
    over.abort()
    expect(await endings).toMatchObject(
      Array(HANGING).fill({ status: 'rejected', reason: { kind: 'aborted', taken: 'no' } }),
    )
    await expect.poll(busy).toBe(0)
  })

  it('gives up by itself on a hanging name, and immediately when the call ends', async () => {
    const resolve = resolver({ timeoutMs: 100, tries: 1 })
    await expect(resolve('name.hang.test', new AbortController().signal)).rejects.toMatchObject({
      code: 'EAI_AGAIN',
      cause: { code: 'ETIMEOUT' },
    })
    const over = new AbortController()
    const patient = resolver({ timeoutMs: 60_000, tries: 1 })
    const looking = expect(patient('other.hang.test', over.signal)).rejects.toMatchObject({
      cause: { code: 'ECANCELLED' },
    })
    await expect.poll(() => dns.asked.includes('A other.hang.test')).toBe(true)
    over.abort()
    await looking
  })

  it('reads the hosts file before it asks a name server', async () => {
    const hostsFile = join(tmpdir(), `sluice-hosts-${process.pid}`)
    writeFileSync(
      hostsFile,
      '# comment\n10.0.0.7\treceiver.internal Receiver # more\nfd00::7 receiver.internal\n',
    )
    const resolve = resolver({ hostsFile })
    const signal = new AbortController().signal
    expect(await resolve('receiver.internal', signal)).toEqual(['10.0.0.7', 'fd00::7'])
    expect(await resolve('receiver', signal)).toEqual(['10.0.0.7'])
    expect(dns.asked).toEqual([])
  })

  it('looks short names up in the search domains, and reports an unknown name', async () => {
    const resolverFile = join(tmpdir(), `sluice-resolv-${process.pid}`)
    writeFileSync(resolverFile, 'nameserver 192.0.2.1\nsearch callback.test other.test\n')
    const resolve = resolver({ resolverFile })
    const signal = new AbortController().signal
    expect(await resolve('receiver', signal)).toEqual(['127.0.0.1'])
    expect(dns.asked).toContain('A receiver.callback.test')
    expect(await resolve('callback.test.', signal)).toEqual(['127.0.0.1'])
    await expect(resolver()('missing.test', signal)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})
