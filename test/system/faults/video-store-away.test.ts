import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { startPostgres } from '../../servers/postgres-server.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { compareBooks, pendingCallbacks } from './compare-video-books.ts'
import { startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE } from './harness/tls-target.ts'
import { postgresBooks } from './video-books.ts'
import { type FollowedOrder, openOrderClient } from './video-client.ts'
import { openCountingVendors } from './video-vendors.ts'

const TIMEOUT_MS = 900_000
const CRASHES = 3
const CLIENTS = 6

test(`PostgreSQL crashes ${CRASHES} times during creates and sweeps: 503, then service as before, and nothing is lost or doubled`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-video-vendors-'))
  const [postgres, receiver, vendors] = await Promise.all([
    startPostgres(),
    openCallbackReceiver(),
    openCountingVendors({ folder, speed: 600 }),
  ])
  onTestFinished(async () => {
    await Promise.all([postgres.remove(), receiver.close(), vendors.close()])
    rmSync(folder, { recursive: true })
  })
  const books = await postgresBooks(postgres.url)
  const gateway = await startGateway({
    env: {
      ...books.env,
      SLUICE_CONFIG: vendors.configFile,
      VIDEO_SWEEP_INTERVAL_MS: '200',
      SUBMITTING_RESOLVE_SECONDS: '5',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
      LOG_LEVEL: 'error',
    },
  })
  onTestFinished(async () => void (await gateway.stop()))
  const client = openOrderClient({ baseUrl: gateway.baseUrl, key: books.tenant.key })

  const bodyOf = (name: string, number: number) => ({
    model: number % 2 === 0 ? 'vendorA/gen-2.0' : 'vendorB/gen-v4-std',
    content: [{ type: 'text', text: name }],
    callback_url: receiver.urlOf(`/${name}`),
  })
  const followed: FollowedOrder[] = []
  let isOver = false
  const keepOrdering = async (lane: number) => {
    for (let number = 0; !isOver; number += 1) {
      const name = `order-away.${lane}.${number}`
      followed.push(await client.follow({ name, body: bodyOf(name, number) }))
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, lane) => keepOrdering(lane)))
  // The end of the test handles a failure; until then it must not count as unhandled.
  clients.catch(() => {})

  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const before = followed.length
    await expect.poll(() => followed.length, { timeout: 60_000 }).toBeGreaterThan(before + CLIENTS)
    await postgres.crash()
    const name = `order-refused.${crash}`
    const refused = await client.create({ name, body: bodyOf(name, crash) })
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String), 'x-request-id': expect.any(String) },
      body: { error: { code: 'store_unavailable', type: 'service_unavailable_error', param: null } },
    })
    expect(await client.get(followed[0]?.id ?? '')).toMatchObject({ status: 503 })
    await postgres.start()
  }
  const after = followed.length
  await expect.poll(() => followed.length, { timeout: 60_000 }).toBeGreaterThan(after + CLIENTS)
  isOver = true
  await clients
  expect(client.surprises).toEqual([])
  await expect.poll(() => pendingCallbacks(books), { timeout: 90_000, interval: 200 }).toBe(0)
  const counts = await compareBooks({ followed, books, vendors, receiver })
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  process.stdout.write(`video with a store away ${CRASHES} times: ${JSON.stringify(counts)}\n`)
})
