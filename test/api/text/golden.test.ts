import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  TEXT_ENDPOINTS,
  type TextEndpoint,
} from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FixtureVendor, startFixtureVendor } from '../../sdk-compat/fixture-vendor.ts'
import { type JudgedGateway, startJudgedGateway } from '../../sdk-compat/start-judged-gateway.ts'

/**
 * Requests of each kind of vendor for a rich request, and the replies for its client. `GOLDEN=write` writes them
 * again.
 */
const GOLDEN = fileURLToPath(new URL('../../fixtures/text/golden/', import.meta.url))
const REQUESTS = join(GOLDEN, 'requests')

let vendor: FixtureVendor
let gateway: JudgedGateway
beforeAll(async () => {
  vendor = await startFixtureVendor()
  gateway = await startJudgedGateway(vendor.url)
})
afterAll(async () => {
  await gateway.close()
  await vendor.close()
})

/** Dialects of the client and of its model's vendor. */
interface Cell {
  endpoint: TextEndpoint
  dialect: Dialect
}

const cells = TEXT_ENDPOINTS.flatMap((endpoint) =>
  DIALECT_NAMES.map((dialect): Cell => ({ endpoint, dialect })),
)
const cases = cells.flatMap((cell) =>
  readdirSync(REQUESTS)
    .filter((file) => file.startsWith(`${cell.endpoint}-`))
    .map((file) => [`${file.slice(0, -5)} to ${cell.dialect}`, cell, file] as const),
)

test.each(cases)('%s', async (title, cell, file) => {
  const request = JSON.parse(readFileSync(join(REQUESTS, file), 'utf8'))
  const whole = await ask(cell, request)
  const asked = vendor.asked.body
  const streamed = await ask(cell, { ...request, stream: true })
  const found = [
    `# What the vendor is asked\n\n${pretty(asked)}`,
    `# The whole reply, lost: ${whole.lost}\n\n${pretty(JSON.parse(whole.text))}`,
    `# The reply as a stream, lost: ${streamed.lost}\n\n${streamed.text}`,
  ].join('\n')
  const golden = join(GOLDEN, `${title.replaceAll(' ', '-')}.txt`)
  if (process.env.GOLDEN === 'write') writeFileSync(golden, found)
  expect(found).toBe(readFileSync(golden, 'utf8'))
})

async function ask({ endpoint, dialect }: Cell, request: object): Promise<{ lost: string; text: string }> {
  const answer = await fetch(`${gateway.url}${DIALECTS[endpoint].path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'compat-version': '2023-06-01',
    },
    body: JSON.stringify({ model: `native0/${dialect}`, ...request }),
  })
  const text = await answer.text()
  expect({ status: answer.status, text }).toMatchObject({ status: 200 })
  return { lost: answer.headers.get('x-sluice-losses') ?? 'nothing', text: normalised(text) }
}

/** Ids of our own are numbered as they appear, and times stand still. */
function normalised(text: string): string {
  const ids = new Map<string, string>()
  return text
    .replaceAll(/\b(msg_|resp_|fc_|ctc_|rs_|call_|chatcmpl-)([0-9a-f]{32})\b/g, (id, prefix) => {
      if (!ids.has(id)) ids.set(id, `${prefix}${ids.size + 1}`)
      return ids.get(id) ?? id
    })
    .replaceAll(/"(created_at|completed_at|created)":\d+/g, '"$1":1800000000')
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
