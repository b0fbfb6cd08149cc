import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import type { Operator } from '../../../src/app/operator.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeGateway } from '../../../src/compose/gateway.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { readCatalogFile } from '../../../src/config/catalog/load-catalog.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import { lendSqlite } from '../../engines/store/lend-store.ts'
import { DOOR_ENVIRONMENT } from '../../fast-door.ts'

/** A composed gateway in front of the sandbox's text vendor and a vendor of the test's own. */
export interface TextGateway {
  url: string
  /** The key that `call` sends. */
  key: string
  /** Handler of the test's vendor; replace it at any time. */
  answer: RequestListener
  /** Number of its requests. */
  asked: number
  /** Body of its last request. */
  received: string
  /** Operator of the command line, in a separate program: it publishes no messages. */
  operator: Operator
  /** Organization of `key`. */
  organizationId: string
  /** A key of another organization. */
  otherKey(): Promise<string>
  call(path: string, body: object, headers?: Record<string, string>): Promise<Answer>
  /** Reads the whole answer; `then` runs once `received` has arrived. */
  hear(path: string, body: object, received: string, then: () => void): Promise<void>
  /** Reads the answer until `received` has arrived, and disconnects. */
  hangUp(path: string, body: object, received: string): Promise<void>
  /** Waits for this number of rows; returns the usage of the requests since the last call, oldest first. */
  usage(rows: number): Promise<Record<string, unknown>[]>
  /** Value of a metric by its name and labels; 0: it is missing. */
  metric(line: string): Promise<number>
  /** Number of connections to a provider in use. */
  busy(provider: string): Promise<number>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  body: string
}

/** Starts a gateway; in `providers`, `SANDBOX` and `VENDOR` stand for the addresses of the vendors. */
export async function startTextGateway({
  providers,
  catalog,
  environment = {},
}: {
  providers: string
  catalog: string
  environment?: Record<string, string>
}): Promise<TextGateway> {
  const lent = await lendSqlite()
  const sandbox = await startSandbox({ port: 0, speed: 1, nowMs: Date.now })
  const vendor = createServer(async (request, response) => {
    gateway.asked += 1
    gateway.received = await text(request)
    gateway.answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  const config = readConfig({
    environment: {
      ...DOOR_ENVIRONMENT,
      DATA_DIR: dirname(lent.where),
      LOG_LEVEL: 'silent',
      SLUICE_CONFIG: 'sluice.yaml',
      // Client, gateway and vendor share one process here: it may be late without being overloaded.
      SHED_LAG_MS: '60000',
      ...environment,
    },
    readFile: () => providers.replaceAll('SANDBOX', `${sandbox.url}/text`).replaceAll('VENDOR', vendorUrl),
  })
  const composed = await composeGateway({
    ...{ config, checkpoint: passCheckpoint, inCluster: false },
    openStore: async () => lent.store,
  })
  const beside = await composeOperator(config, { openStore: lent.openAgain })
  const { operator } = beside
  const entries = readCatalogFile({
    fileName: 'catalog.yaml',
    source: catalog,
    report: (fault) => expect.fail(JSON.stringify(fault)),
  })
  await operator.applyCatalog(entries)
  const makeKey = async (name: string) => {
    const { organization } = await operator.createOrganization({
      ...{ name, billing: 'prepaid', requestsPerMinute: null },
    })
    const organizationId = organization.id
    await operator.addCredit({ organizationId, amountMicros: micros(10_000_000), note: null })
    const { id: userId } = await operator.createUser({ organizationId, name })
    const made = await operator.createKey({ organizationId, userId, name, requestsPerMinute: null })
    return { key: made.key, organizationId }
  }
  const { key, organizationId } = await makeKey('test')
  const url = await composed.server.listen({ host: '127.0.0.1', port: 0 })
  const database = new DatabaseSync(lent.where, { readOnly: true })
  const select = database.prepare('select * from text_usage order by created_at_ms, id')
  let seen = 0
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        ...headers,
      },
      body: JSON.stringify(body),
    })

  const gateway: TextGateway = {
    url,
    key,
    answer: (_request, response) => response.writeHead(500).end(),
    asked: 0,
    received: '',
    operator,
    organizationId,
    otherKey: async () => (await makeKey('other')).key,
    async call(path, body, headers) {
      const answer = await post(path, body, headers)
      return { status: answer.status, headers: answer.headers, body: await answer.text() }
    },
    async hear(path, body, received, then) {
      let said = ''
      for await (const piece of piecesOf(await post(path, body))) {
        const wasHeard = said.includes(received)
        said += piece
        if (!wasHeard && said.includes(received)) then()
      }
      expect(said).toContain(received)
    },
    async hangUp(path, body, received) {
      let said = ''
      for await (const piece of piecesOf(await post(path, body))) {
        said += piece
        if (said.includes(received)) return
      }
      expect.fail(`It ended before that: ${said}`)
    },
    async usage(count) {
      const rows = () => select.all().slice(seen)
      await expect.poll(() => rows().length).toBeGreaterThanOrEqual(count)
      const found = rows()
      seen += found.length
      return found
    },
    async metric(name) {
      const figures = await (await fetch(`${url}/metrics`)).text()
      const line = figures.split('\n').find((each) => each.startsWith(`${name} `))
      return Number(line?.split(' ').at(-1) ?? 0)
    },
    async busy(provider) {
      const figures = await (await fetch(`${url}/metrics`)).text()
      const line = figures
        .split('\n')
        .find((each) => each.includes(`upstream ${provider}`) && each.includes('busy'))
      return Number(line?.split(' ').at(-1))
    },
    async close() {
      database.close()
      composed.server.cutConnections()
      await composed.close()
      expect(await operator.checkLedger()).toMatchObject({ violations: [] })
      await beside.close()
      await sandbox.close()
      vendor.closeAllConnections()
      vendor.close()
      await once(vendor, 'close')
      await lent.giveBack()
    },
  }
  return gateway
}

async function* piecesOf({ body }: Response): AsyncGenerator<string> {
  for await (const piece of body ?? []) yield Buffer.from(piece).toString('latin1')
}
