import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Operator } from '../../src/app/operator.ts'
import { readConfig } from '../../src/compose/config.ts'
import { composeGateway } from '../../src/compose/gateway.ts'
import { composeOperator } from '../../src/compose/operator.ts'
import { readCatalogFile } from '../../src/config/catalog/load-catalog.ts'
import { micros } from '../../src/domain/billing/micros.ts'
import { passCheckpoint } from '../../src/ports/checkpoint.ts'
import { DOOR_ENVIRONMENT } from '../fast-door.ts'

export interface JudgedGateway {
  url: string
  key: string
  /** Fails the test when the ledger is not in order. */
  close(): Promise<void>
}

const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
/**
 * A composed gateway with a model for each dialect, `native0/<dialect>`, all offered on every endpoint. For tests that let
 * a vendor fail there can be more providers, each with a breaker of its own.
 */
export function startJudgedGateway(vendorUrl: string, providers = 1): Promise<JudgedGateway> {
  const names = Array.from({ length: providers }, (_, index) => `native${index}`)
  return start({
    environment: { SLUICE_CONFIG: 'sluice.yaml' },
    file: `providers:\n${names.map((name) => providerRow(name, vendorUrl)).join('')}`,
    prepare: (operator) =>
      operator.applyCatalog(
        readCatalogFile({
          fileName: 'catalog.yaml',
          source: `models:\n${names.flatMap(catalogRows).join('')}`,
          report: (fault) => expect.fail(JSON.stringify(fault)),
        }),
      ),
  })
}

/** The gateway of a first start: no provider is configured, so the sandbox serves the built-in catalog. */
export function startFirstGateway(sandboxUrl: string): Promise<JudgedGateway> {
  return start({ environment: {}, sandboxUrl })
}

interface Start {
  environment: Record<string, string>
  /** Content of `SLUICE_CONFIG`. */
  file?: string
  sandboxUrl?: string
  prepare?(operator: Operator): Promise<unknown>
}

async function start({ environment, file = '', sandboxUrl, prepare }: Start): Promise<JudgedGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-judged-'))
  const config = readConfig({
    environment: {
      ...DOOR_ENVIRONMENT,
      ...environment,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      // Client, gateway and vendor share one process here: it may be late without being overloaded.
      SHED_LAG_MS: '60000',
    },
    readFile: () => file,
  })
  const composed = await composeGateway({ config, checkpoint: passCheckpoint, inCluster: false, sandboxUrl })
  const beside = await composeOperator(config)
  const { operator } = beside
  await prepare?.(operator)
  const { organization } = await operator.createOrganization({
    ...{ name: 'judges', billing: 'prepaid', requestsPerMinute: null },
  })
  const organizationId = organization.id
  await operator.addCredit({ organizationId, amountMicros: micros(100_000_000), note: null })
  const { id: userId } = await operator.createUser({ organizationId, name: 'judge' })
  const { key } = await operator.createKey({ organizationId, userId, name: 'judge', requestsPerMinute: null })
  const url = await composed.server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    key,
    async close() {
      composed.server.cutConnections()
      await composed.close()
      expect(await operator.checkLedger()).toMatchObject({ violations: [] })
      await beside.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

function providerRow(name: string, url: string): string {
  const models = '{ messages: messages, responses: responses, chat: chat }'
  return `  ${name}: { driver: text, base_url: ${url}, api_key: k, models: ${models} }\n`
}

function catalogRows(name: string, index: number): string[] {
  return ['messages', 'responses', 'chat'].map((dialect, place) => {
    const row = `model_id: ${100 + index * 3 + place}, name: ${name}/${dialect}, max_output_tokens: 64000`
    return `  - { ${row}, endpoints: [messages, responses, chat], ${PRICES} }\n`
  })
}
