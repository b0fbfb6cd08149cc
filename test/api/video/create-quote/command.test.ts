import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realServices } from '../../../../src/cli/services.ts'
import { readConfig } from '../../../../src/compose/config.ts'
import { run } from '../../../system/cli/run.ts'
import { clientOf, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

describe('sluice quote', () => {
  let api: VideoApi
  const folder = mkdtempSync(join(tmpdir(), 'sluice-quote-'))
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(async () => {
    await api.close()
    rmSync(folder, { recursive: true })
  })

  function quote(body: object | string, { organizationId }: Pick<Tenant, 'organizationId'> = api.tenant) {
    const path = join(folder, 'order.json')
    writeFileSync(path, typeof body === 'string' ? body : JSON.stringify(body))
    const environment = {
      DATA_DIR: api.dataDir,
      SLUICE_SECRET: 'a secret of the tests, long enough',
      SANDBOX: 'on',
    }
    const services = { ...realServices, loadConfig: () => readConfig({ environment, readFile: () => '' }) }
    return run(['quote', path, '--org', organizationId, '--json'], services)
  }

  test('prints the quote of POST /v1/video/quotes: 762,300 micros', async () => {
    for (const body of [textBody(), textBodyB('', { duration: 8 })]) {
      const { exitCode, result } = await quote(body)
      expect(exitCode).toBe(0)
      const { body: answer } = await clientOf(api, api.tenant).call('POST', '/v1/video/quotes', { body })
      const varying = { quote_id: expect.stringMatching(/^quote_/), expires_at: expect.any(Number) }
      expect(JSON.parse(result)).toEqual({ ...answer, ...varying })
    }
    expect(JSON.parse((await quote(textBody())).result)).toMatchObject({ max_micros: 762_300 })
  })

  test('its quote can be used once, by its organization only', async () => {
    // The command uses the clock of the machine, which is behind that of the test.
    const { quote_id } = JSON.parse((await quote(textBody())).result)
    const other = await api.openTenant()
    api.time.nowMs = Date.now()
    expect(await clientOf(api, other).create(textBody('', { quote_id }))).toMatchObject({ status: 400 })
    expect(await clientOf(api, api.tenant).create(textBody('', { quote_id }))).toMatchObject({ status: 200 })
    expect(await clientOf(api, api.tenant).create(textBody('', { quote_id }))).toMatchObject({ status: 400 })
  })

  test.each([
    ['what is no JSON', () => quote('{'), /valid JSON/],
    ['what a rule refuses', () => quote(textBody('', { ratio: '4:3' })), /ratio must be one of/],
    ['an unknown model', () => quote({ ...textBody(), model: 'vendorA/gen-9' }), /model/i],
    [
      'an unknown organization',
      () => quote(textBody(), { organizationId: 'org_0' }),
      /no organization org_0/,
    ],
    ['a body over 1 MiB', () => quote(textBody('x'.repeat(1_100_000))), /too large/],
  ])('refuses %s, and ends with 1', async (_name, asked, said) => {
    expect(await asked()).toMatchObject({ exitCode: 1, notice: expect.stringMatching(said) })
  })

  test('refuses an order when the balance lacks one micro, and takes nothing', async () => {
    const poor = await api.openTenant({ creditMicros: 762_299 })
    expect(await quote(textBody(), poor)).toMatchObject({
      exitCode: 1,
      notice: expect.stringMatching(/balance/i),
    })
    await api.addCredit(poor, 1)
    expect(await quote(textBody(), poor)).toMatchObject({ exitCode: 0 })
    expect(await api.moneyOf(poor)).toEqual({ balance: 762_300, held: 0 })
  })
})
