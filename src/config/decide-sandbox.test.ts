import { expect, test } from 'vitest'
import { readConfig } from '../compose/config.ts'
import { decideSandbox } from './decide-sandbox.ts'

const SECRET = { SLUICE_SECRET: 's'.repeat(32) }
const SCALED = { ...SECRET, DATABASE_URL: 'postgres://user@127.0.0.1/sluice' }
const PROVIDER = `
providers:
  vendorB: { driver: vendor-b, base_url: https://b.example, api_key: key }
`

function decide(environment: Record<string, string>, file: string | undefined) {
  const readFile = () => {
    if (file === undefined) throw Object.assign(new Error('no file'), { code: 'ENOENT' })
    return file
  }
  return decideSandbox(readConfig({ environment, readFile }))
}

test.each([
  ['nothing is configured', {}, undefined, 'run'],
  ['an empty providers file', {}, '', 'refused'],
  ['a providers file without providers', {}, 'providers: {}', 'refused'],
  ['a database and no providers file', SCALED, undefined, 'refused'],
  ['an empty providers file and SANDBOX=on', { SANDBOX: 'on' }, '', 'run'],
  ['a database and SANDBOX=on', { ...SCALED, SANDBOX: 'on' }, undefined, 'run'],
  ['SANDBOX=off', { SANDBOX: 'off' }, undefined, 'refused'],
  ['a provider', {}, PROVIDER, 'not-needed'],
  ['a provider and SANDBOX=on', { SANDBOX: 'on' }, PROVIDER, 'not-needed'],
  ['a provider and a database', SCALED, PROVIDER, 'not-needed'],
])('%s', (_name, environment, file, kind) => {
  expect(decide(environment, file).kind).toBe(kind)
})

test('an error names a fix', () => {
  expect(decide(SCALED, undefined)).toMatchObject({
    fault: {
      wrong: 'no provider is configured, and DATABASE_URL is set',
      fix: expect.stringMatching(/SANDBOX=on/),
    },
  })
})
