import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE, startTlsTarget } from './harness/tls-target.ts'

const ADMIN_KEY = 'event-kills-admin-key-0123456789'
const KILLS = roundsOf({ slice: 3, whole: 50 })
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const EVENTS_EACH = 4
/** The first retry follows after a second: kills fall before, between and after both attempts. */
const MOMENT_MS_MAX = 2_000

interface Row {
  id: string
  state: string
  attempts: number
  allowed: number
}

test(`${KILLS} times kill -9 while events are sent: no event is lost, and none exceeds its attempts`, {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-event-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sends = new Map<string, number>()
  const taken = new Set<string>()
  const receiver = await startTlsTarget((request, response) => {
    const id = String(request.headers['webhook-id'])
    const attempt = (sends.get(id) ?? 0) + 1
    sends.set(id, attempt)
    // Every other event is refused once.
    const isRefused = attempt === 1 && sends.size % 2 === 0
    if (!isRefused) taken.add(id)
    response.writeHead(isRefused ? 503 : 204).end()
  }, '127.0.0.1')
  onTestFinished(() => receiver.close())
  const gateway = await startGateway({
    env: {
      ...{ DATA_DIR: folder, ADMIN_API_KEY: ADMIN_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' },
      ...{ EVENTS_URL: `https://127.0.0.1:${receiver.port}/`, EVENTS_SECRET: SECRET },
      NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
    },
  })
  onTestFinished(async () => void (await gateway.stop()))

  const promised: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const added = Array.from({ length: EVENTS_EACH }, () => addEvent(gateway))
    await delay(random.integer(0, MOMENT_MS_MAX))
    await gateway.kill('SIGKILL')
    for (const id of await Promise.all(added)) if (id !== undefined) promised.push(id)
    await gateway.restart()
  }

  const rows = () => readEvents(join(folder, 'sluice.db'))
  await expect.poll(() => rows().filter(({ state }) => state === 'pending')).toEqual([])
  const ended = rows()
  const ids = new Set(ended.map(({ id }) => id))
  expect(promised.filter((id) => !ids.has(id))).toEqual([])
  expect(ended.filter(({ id, state }) => state !== 'delivered' || !taken.has(id))).toEqual([])
  expect(ended.filter(({ attempts, allowed }) => attempts > allowed)).toEqual([])
  expect(ended.filter(({ id, attempts }) => (sends.get(id) ?? 0) > attempts)).toEqual([])
  expect([...sends.keys()].filter((id) => !ids.has(id))).toEqual([])
  const sent = [...sends.values()].reduce((sum, count) => sum + count, 0)
  reportFigure(`${KILLS} kills, ${ended.length} events delivered with ${sent} sends, none lost`)
})

/** undefined: the kill was faster than the answer. */
async function addEvent({ baseUrl }: GatewayProcess): Promise<string | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/admin/v1/events/test`, {
      method: 'POST',
      headers: { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(200)
    const { id } = Object(await answer.json())
    return String(id)
  } catch (fault) {
    if (fault instanceof TypeError) return undefined
    throw fault
  }
}

function readEvents(file: string): Row[] {
  using database = new DatabaseSync(file, { timeout: 10_000, readOnly: true })
  return database
    .prepare('select id, state, attempt_count as attempts, attempts_allowed as allowed from events')
    .all() as unknown as Row[]
}
