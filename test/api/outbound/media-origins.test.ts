import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { openMediaLater } from '../../../src/compose/outside.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { silentMetrics } from '../../silent-metrics.ts'

async function openFrom(
  host: string,
  { isFromStore, allow }: { isFromStore?: true; allow?: string },
): Promise<{ film: Promise<string>; asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'video/mp4' }).end('film')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}`
  const environment = allow === undefined ? {} : { OUTBOUND_ALLOW: allow }
  const open = openMediaLater({
    config: readConfig({ environment, readFile: () => 'providers: {}' }),
    tools: {
      clock: systemClock,
      log: { ...SILENT_LOG, logRequest() {}, flush: async () => {} },
      metrics: silentMetrics(),
    },
    origins: () => [{ baseUrl: `${baseUrl}/api`, ...(isFromStore && { isFromStore }) }],
  })
  const { signal } = new AbortController()
  const media = { url: `${baseUrl}/film`, kind: 'Video', range: undefined, organizationId: 'org_a', signal }
  const film = open({ ...media, kind: 'Video' }).then(({ body }) => text(body))
  film.catch(() => {})
  return { film, asked: () => asked }
}

test.each(['localhost', '127.0.0.1', '2130706433'])(
  "a link to a stored provider's own address %s is checked when it connects",
  async (host) => {
    const { film, asked } = await openFrom(host, { isFromStore: true })
    await expect(film).rejects.toMatchObject({ code: 'upstream_error' })
    expect(asked()).toBe(0)
  },
)

test.each([
  ['of the store, in a range that is allowed', { isFromStore: true, allow: '127.0.0.0/8' }],
  ['of the configuration file', {}],
] as const)(
  'a link to the own address of a provider %s may be private and without TLS',
  async (_, options) => {
    const { film, asked } = await openFrom('localhost', options)
    expect(await film).toBe('film')
    expect(asked()).toBe(1)
  },
)
