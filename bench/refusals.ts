import { once } from 'node:events'
import { connect } from 'node:net'
import { atMost, type Figures } from './figures.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { amountOf, inTurn, median } from './rounds.ts'

const REQUESTS = 20_000
const CONNECTIONS = 32
const BODY_BYTES = 20_000
const GOAL_MICROS = 60

interface Refusal {
  name: string
  status: number
  key: string
}

/** Requests with a body of 20 KB that are refused by their headers alone: an unknown key, and a key above its rate. */
export async function refusals(): Promise<Figures[]> {
  const gateway = await startGateway({ environment: { RATE_LIMIT_RPM: '1', LOG_LEVEL: 'warn' } })
  try {
    const cases: Refusal[] = [
      { name: 'unknown key, 401', status: 401, key: 'sk-unknown' },
      { name: 'above its rate, 429', status: 429, key: gateway.key },
    ]
    const first = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    })
    if (first.status !== 200) throw new Error(`the first request answered ${first.status}`)
    for (const refusal of cases) await cpuMicrosOf(refusal, gateway)
    const rounds = await inTurn(cases, (refusal) => cpuMicrosOf(refusal, gateway))
    const rows = [...rounds].map(
      ([{ name }, micros]) =>
        [name, { 'CPU us/refusal': median(micros), least: Math.min(...micros) }] as const,
    )
    const title = `Refusals by the head, a body of 20 KB, ${CONNECTIONS} at once`
    return [
      {
        title,
        rows: Object.fromEntries(rows),
        goals: rows.map(([name, row]) =>
          atMost(`Refusal, ${name}`, row['CPU us/refusal'], GOAL_MICROS, 'us'),
        ),
      },
    ]
  } finally {
    await gateway.stop()
  }
}

async function cpuMicrosOf({ status, key }: Refusal, { url, cpuSeconds }: Gateway): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = Buffer.from(
    `POST /v1/messages HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\nanthropic-version: 2023-06-01\r\n` +
      `content-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n\r\n${'x'.repeat(BODY_BYTES)}`,
  )
  const each = Math.ceil(amountOf(REQUESTS) / CONNECTIONS)
  const before = await cpuSeconds()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding('latin1')
      await once(socket, 'connect')
      for (let sent = 0; sent < each; sent += 1) {
        socket.write(request)
        const [answer]: string[] = await once(socket, 'data')
        if (!answer?.startsWith(`HTTP/1.1 ${status} `))
          throw new Error(`refused with ${answer?.slice(0, 40)}`)
      }
      socket.destroy()
    }),
  )
  return (((await cpuSeconds()) - before) / (each * CONNECTIONS)) * 1e6
}
