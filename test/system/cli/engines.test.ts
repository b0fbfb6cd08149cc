import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realServices } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { begin } from '../../engines/store/sample-task.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { run } from './run.ts'
import { runProgram } from './run-program.ts'

const ENGINES = {
  SQLite: async (folder: string) => ({
    environment: { DATA_DIR: join(folder, 'data'), SANDBOX: 'on' },
    async release() {},
  }),
  'PostgreSQL and Redis': async () => {
    const database = await freshDatabase()
    const redis = await freshRedis()
    return {
      environment: {
        ...{ DATABASE_URL: database.url, REDIS_URL: redis.url },
        ...{ SLUICE_SECRET: 's'.repeat(32), SANDBOX: 'on' },
      },
      async release() {
        await redis.close()
        await database.drop()
      },
    }
  },
}

/** Each command opens the engines anew, and a test runs up to fifteen of them. */
const PATIENCE = { timeout: 120_000 }

describe.each(Object.entries(ENGINES))('on %s', PATIENCE, (_, prepare) => {
  let folder = ''
  let environment: Record<string, string> = {}
  let release = async () => {}

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
    const prepared = await prepare(folder)
    environment = prepared.environment
    release = prepared.release
  })

  afterAll(async () => {
    await release()
    await rm(folder, { recursive: true, force: true })
  })

  /** The real parts behind the real command line, in this process. */
  const sluice = (...words: string[]) =>
    run(words, { ...realServices, loadConfig: () => readConfig({ environment, readFile: () => '' }) })

  /** The result of a command that must succeed, and must print JSON and nothing else. */
  async function json(...words: string[]) {
    const { exitCode, result, notice } = await sluice(...words, '--json')
    expect({ words, exitCode, notice }).toEqual({ words, exitCode: 0, notice: '' })
    return JSON.parse(result)
  }

  test('an operator makes a customer, gives it a key and revokes the key', async () => {
    const { applied } = await json('migrate')
    expect(applied.length).toBeGreaterThan(0)
    expect(await json('migrate')).toEqual({ applied: [] })
    expect(await json('org', 'list')).toEqual([])

    const organization = await json(
      'org',
      'create',
      '--name',
      'Acme "水门" Ltd',
      '--postpaid',
      '--rpm',
      '600',
    )
    expect(organization).toMatchObject({
      name: 'Acme "水门" Ltd',
      billing: 'postpaid',
      balance_micros: 0,
      held_micros: 0,
      requests_per_minute: 600,
    })
    const { webhook_secret: webhookSecret, ...listed } = organization
    expect(await json('org', 'list')).toEqual([listed])
    expect(await json('org', 'show', organization.id)).toEqual(listed)

    expect(await json('org', 'secret', organization.id)).toEqual({
      id: organization.id,
      webhook_secret: webhookSecret,
    })
    const rotated = await json('org', 'secret', organization.id, '--rotate')
    expect(rotated.webhook_secret).not.toBe(webhookSecret)
    expect(await json('org', 'secret', organization.id)).toEqual(rotated)

    const user = await json('user', 'create', '--org', organization.id)
    expect(user).toMatchObject({
      organization_id: organization.id,
      max_daily_user_limit: null,
      enable_limit: false,
    })
    const limited = await json('user', 'limit', user.id, '--daily-usd', '5.250', '--enable')
    expect(limited).toEqual({ ...user, max_daily_user_limit: 5.25, enable_limit: true })
    expect(await json('user', 'list', '--org', organization.id)).toEqual([limited])

    const { key, ...made } = await json(
      'key',
      'create',
      '--org',
      organization.id,
      '--user',
      user.id,
      '--rpm',
      '60',
    )
    expect(key).toMatch(/^sk-sluice-/)
    expect(key.startsWith(made.prefix)).toBe(true)
    expect(await json('key', 'list', '--org', organization.id)).toEqual([made])
    const revoked = await json('key', 'revoke', made.id)
    expect(revoked).toEqual({ ...made, revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await json('key', 'list', '--org', organization.id)).toEqual([revoked])
  })

  test('an operator adds credit, sees it and finds the ledger right', async () => {
    const { id } = await json('org', 'create', '--name', 'Acme', '--prepaid')
    const paid = { organization_id: id, balance_micros: 25_250_000, held_micros: 0 }
    await json('credit', 'add', '--org', id, '--usd', '25')
    expect(await json('credit', 'add', '--org', id, '--usd', '0.25', '--note', 'invoice 17')).toEqual(paid)
    expect(await json('credit', 'show', '--org', id)).toEqual(paid)
    const again = ['credit', 'add', '--org', id, '--usd', '1', '--entry', `ent_${id}`]
    expect((await sluice(...again)).result).toMatch(/^Added 1\.00 USD\. .* is 26\.25 USD/)
    expect((await sluice(...again)).result).toMatch(/^It was added already\. .* is 26\.25 USD/)
    const checked = await sluice('ledger', 'check', '--json')
    expect(JSON.parse(checked.result)).toEqual({ ok: true, violations: [] })
    // On a busy machine the check takes so long that the command prints a notice.
    expect(checked).toMatchObject({ exitCode: 0, notice: expect.stringMatching(/^(Still checking: .*\n)?$/) })
    const { exitCode, notice } = await sluice('ledger', 'refund', 'task_missing', '--note', 'late', '--json')
    expect(exitCode).toBe(1)
    expect(notice).toMatch(/^There is nothing to give back for task_missing/)
  })

  test.each([
    ['credit add --org org_missing --usd 5'],
    ['credit show --org org_missing'],
    ['org show org_missing'],
    ['org secret org_missing'],
    ['org secret org_missing --rotate'],
    ['user create --org org_missing'],
    ['user list --org org_missing'],
    ['user limit usr_missing --daily-usd 1 --enable'],
    ['key create --org org_missing --user usr_missing'],
    ['key list --org org_missing'],
    ['key revoke key_missing'],
  ])('%s: the id is unknown', async (line) => {
    const { exitCode, result, notice } = await sluice(...line.split(' '), '--json')
    expect({ exitCode, result }).toEqual({ exitCode: 1, result: '' })
    expect(notice).toMatch(/^There is no (organization|user|key) \w+_missing/)
  })

  test('an operator changes prices with a file', async () => {
    const file = join(folder, 'catalog.yaml')
    await writeFile(
      file,
      `models:
  - { model_id: 5, name: vendorB/gen-v3, prices: [{ unit: second, usd: 0.05 }] }
  - { model_id: 7, name: vendorC/model-4.1, fallbacks: [acme/fresh, vendorD/text-large], prices: [] }
  - { model_id: 20, name: acme/fresh, endpoints: [responses], max_output_tokens: 1000 }
`,
    )
    const planned = await json('apply', file, '--dry-run')
    expect(planned.map(({ change }: { change: string }) => change)).toEqual(['changed', 'changed', 'new'])
    expect(await json('apply', file)).toEqual(planned)
    const models = await json('model', 'list')
    expect(models).toHaveLength(14)
    expect(models[4]).toMatchObject({ name: 'vendorB/gen-v3', prices: [{ unit: 'second', usd: 0.05 }] })
    expect(models[6]).toMatchObject({
      name: 'vendorC/model-4.1',
      max_output_tokens: 32_768,
      fallbacks: ['acme/fresh', 'vendorD/text-large'],
      prices: [],
    })
    expect(models[12]).toMatchObject({ model_id: 20, endpoints: ['responses'], max_output_tokens: 1_000 })
    expect((await sluice('apply', file)).result).toBe(
      [
        'vendorC/model-4.1 (model 7): unchanged',
        '  WARNING  no price for input_token: clients get 503',
        '  WARNING  no price for output_token: clients get 503',
        'acme/fresh (model 20): unchanged',
        '  WARNING  no price for input_token: clients get 503',
        '  WARNING  no price for output_token: clients get 503',
        '3 models as listed already.',
        'Nothing to change.',
        '',
      ].join('\n'),
    )
  })

  test('a separate process ends', async () => {
    const made = await runProgram(
      ['org', 'create', '--name', 'Own', '--prepaid', '--json'],
      environment,
      folder,
    )
    expect(made).toMatchObject({ exitCode: 0, notice: '' })
    const listed = await runProgram(['org', 'list', '--json'], environment, folder)
    expect(JSON.parse(listed.result).at(-1).id).toBe(JSON.parse(made.result).id)
  })

  test('doctor finds everything well', async () => {
    const { ok, checks } = await json('doctor')
    expect(checks).toSatisfy((rows: { ok: boolean }[]) => rows.length >= 3 && rows.every((row) => row.ok))
    expect(ok).toBe(true)
  })

  test('doctor counts the tasks that are set aside, until they are resumed', async () => {
    const { id: organizationId } = await json('org', 'create', '--name', 'Aside', '--postpaid')
    const { store, close } = await composeOperator(readConfig({ environment, readFile: () => '' }))
    for (const id of ['task_aside', 'task_sound']) await begin(store, { id, organizationId })
    await store.tasks.setAside({ id: 'task_aside', atMs: Date.now() })
    await close()
    const { exitCode, result, notice } = await sluice('doctor')
    expect(result).toContain(
      'FAILED  video tasks: 1 set aside, because their rows cannot be read\n        The log names them. "sluice task resume ID"',
    )
    expect({ exitCode, notice }).toEqual({ exitCode: 1, notice: 'One check failed.\n' })
    await json('task', 'resume', 'task_aside')
    expect(await sluice('doctor')).toMatchObject({
      exitCode: 0,
      result: expect.not.stringContaining('video tasks'),
    })
  })
})

describe('the real program', PATIENCE, () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('lists every wrong setting and ends with 1', async () => {
    const { exitCode, result, notice } = await runProgram(
      ['serve'],
      { PORT: 'x', ADMIN_API_KEY: 'canary' },
      folder,
    )
    expect({ exitCode, result }).toEqual({ exitCode: 1, result: '' })
    expect(notice).toMatch(/^2 settings are wrong:\n {2}PORT: .*\n.*\n {2}ADMIN_API_KEY: /)
    expect(notice).not.toContain('canary')
  })

  test('reports that the store is unreachable, with the cause and without the password', async () => {
    const environment = { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x', SLUICE_SECRET: 's'.repeat(32) }
    const { exitCode, result, notice } = await runProgram(['org', 'list', '--json'], environment, folder)
    expect({ exitCode, result }).toEqual({ exitCode: 1, result: '' })
    expect(notice).toContain('The store is not available.')
    expect(notice).toContain('ECONNREFUSED')
    expect(notice).not.toContain('canary')
  })

  test('ends with 2 for an unknown command', async () => {
    expect(await runProgram(['org', 'crate'], {}, folder)).toMatchObject({ exitCode: 2, result: '' })
  })
})
