import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { PastClock } from './past-clock.ts'

interface Gateway {
  url: string
  adminKey: string
  clock: PastClock
  /** The first moment of the traffic, and the last one. */
  fromMs: number
  toMs: number
  /** Runs after each jump of the clock. */
  onJump(): Promise<void>
  /** Runs before the first request of a customer. */
  onCustomer(organizationId: string): Promise<void>
}

export interface TrafficReport {
  organizationIds: string[]
  requests: number
  videos: number
}

interface Customer {
  id: string
  key: string
  /** Requests in a busy hour. */
  pace: number
}

/** Customers with one payment each; the last customer has little money left. */
const CUSTOMERS = [
  { name: 'Kestrel Film (demo)', creditUsd: 250, pace: 1.8 },
  { name: 'Harbour Studio (demo)', creditUsd: 120, pace: 1.2 },
  { name: '北岸影像 (demo)', creditUsd: 16, pace: 0.7 },
]

const TEXT_MODELS = ['vendorD/text-large', 'vendorC/model-4.1', 'vendorD/text-small'] as const

/** Prompts of videos. A word in brackets makes the sandbox fail the video. */
const PROMPTS = [
  'A barge passes a lock at dawn',
  'A heron waits at the weir, then flies off over the reeds',
  'Rain on a slate roof, seen from above',
  'A crowd leaves the stadium [fail]',
  'Two boats race under a bridge at night',
  'A street parade [moderate-late]',
  'The tide comes in over the mud flats',
  'A paper boat in a gutter',
  'Snow falls on the canal',
] as const

const HOUR_MS = 3_600_000
const STEP_MS = 2 * HOUR_MS
const STEPS_A_DAY = 12
/** Shorter than a lease of money, so that one lease pays for a step. */
const TURN_MS = 2_000
/** Number of turns in a step, in each of which a customer sends at most one request. */
const TURNS = 8
/** Number of steps for each video. */
const STEPS_PER_VIDEO = 5

/** Makes customers, and sends their requests of many days as their programs would. */
export async function makeTraffic(gateway: Gateway): Promise<TrafficReport> {
  const { clock, fromMs, toMs, onJump } = gateway
  const agent = new Agent({ keepAlive: true })
  const call = callerOf(gateway, agent)
  const report: TrafficReport = { organizationIds: [], requests: 0, videos: 0 }
  try {
    const customers: Customer[] = []
    for (const customer of CUSTOMERS) customers.push(await makeCustomer(call, customer, gateway))
    report.organizationIds = customers.map(({ id }) => id)
    for (let step = 0; fromMs + (step + 1) * STEP_MS < toMs; step += 1) {
      if (step % STEPS_A_DAY === 0) await untilWritten(call)
      clock.moveTo(fromMs + step * STEP_MS)
      await onJump()
      for (let at = 0; at < TURNS; at += 1) {
        const asking = customers.filter((customer) => at < requestsAt(step, customer))
        if (asking.length > 0) clock.moveTo(clock.nowMs() + TURN_MS * (1 + ((step + at) % 3)))
        const asked = asking.map((customer, turn) => askText(call, customer, step * 31 + turn * 7 + at * 3))
        report.requests += (await Promise.all(asked)).length
      }
      const isVideo = step % STEPS_PER_VIDEO === 0
      if (isVideo) await makeVideo(call, customers, step / STEPS_PER_VIDEO, clock)
      if (isVideo) report.videos += 1
    }
    await untilWritten(call)
    clock.moveTo(toMs)
    await onJump()
    return report
  } finally {
    agent.destroy()
  }
}

/** Busy at noon on working days, quiet at night, and a little more from week to week. */
function requestsAt(step: number, { pace }: Customer): number {
  const day = Math.floor(step / STEPS_A_DAY)
  const noon = Math.sin(((step % STEPS_A_DAY) / STEPS_A_DAY) * Math.PI)
  const week = day % 7 > 4 ? 0.4 : 1
  return Math.round(pace * noon * week * (0.8 + day / 40) + ((step * 7) % 5) / 8)
}

type Call = (ask: { path: string; key?: string; body?: object }) => Promise<Record<string, unknown>>

function callerOf({ url, adminKey }: Gateway, agent: Agent): Call {
  return ({ path, key, body }) => {
    const access = key === undefined ? { 'x-admin-key': adminKey } : { authorization: `Bearer ${key}` }
    const headers = { ...access, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(`${url}${path}`, { method, headers, agent }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      resolve(text.startsWith('{') ? JSON.parse(text) : { text })
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }
}

async function makeCustomer(
  call: Call,
  { name, creditUsd, pace }: (typeof CUSTOMERS)[number],
  { onCustomer }: Gateway,
): Promise<Customer> {
  const admin = (path: string, body: object) => call({ path: `/admin/v1${path}`, body })
  const id = String((await admin('/organizations', { name, billing: 'prepaid' })).id)
  await onCustomer(id)
  const credit = { amount_micros: creditUsd * 1_000_000, note: 'first payment' }
  await admin('/credit', { organization_id: id, ...credit })
  const user = await admin('/users', { organization_id: id, name: 'build server' })
  const { key } = await admin('/keys', { organization_id: id, user_id: user.id, name: 'production' })
  return { id, key: String(key), pace }
}

async function askText(call: Call, { key }: Customer, seed: number): Promise<void> {
  const model = TEXT_MODELS[seed % TEXT_MODELS.length]
  const content =
    seed % 41 === 0 ? 'Which way? [overloaded]' : `Count the locks. [count ${200 + ((seed * 37) % 700)}]`
  const body = { model, max_tokens: 4_000, messages: [{ role: 'user', content }] }
  await call({ path: '/v1/messages', key, body: { ...body, stream: seed % 3 === 0 } })
}

/** Waits until all usage rows are written, so that a day is charged before the next one begins. */
async function untilWritten(call: Call): Promise<void> {
  for (let isWritten = false; !isWritten; ) {
    await wait(LOOK_EVERY_MS)
    const { text } = await call({ path: '/metrics' })
    isWritten = /^sluice_usage_rows_waiting 0$/m.test(String(text))
  }
}

const VIDEO_MS_MIN = 45_000
const LOOKS_MAX = 400
const LOOK_EVERY_MS = 5

/** Makes a video and waits for its end. The sandbox's vendors finish it as soon as they are asked. */
async function makeVideo(
  call: Call,
  customers: readonly Customer[],
  at: number,
  clock: PastClock,
): Promise<void> {
  const { key = '' } = customers[at % customers.length] ?? {}
  const model = at % 3 === 2 ? 'vendorB/gen-v4-std' : 'vendorA/gen-2.0'
  const content = [{ type: 'text', text: PROMPTS[at % PROMPTS.length] }]
  const path = '/v1/video/generations'
  const { id } = await call({ path, key, body: { model, content } })
  if (id === undefined) return
  clock.moveTo(clock.nowMs() + VIDEO_MS_MIN + ((at * 17_000) % 120_000))
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { status } = await call({ path: `${path}/${id}`, key })
    if (status !== 'queued' && status !== 'running' && status !== 'submitting') return
    await wait(LOOK_EVERY_MS)
  }
}
