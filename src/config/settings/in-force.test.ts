import { expect, test } from 'vitest'
import { settingsInForce } from './in-force.ts'

const shown = (environment: Record<string, string>) => {
  const settings = settingsInForce(environment)
  return (name: string) => settings.find((setting) => setting.name === name)
}

test('settings in force have their source: set, default or neither', () => {
  const of = shown({ PORT: '9000', HOST: '127.0.0.1', PUBLIC_BASE_URL: '' })
  expect(of('PORT')).toMatchObject({ value: '9000', isDefault: false, group: 'Listening' })
  expect(of('HOST')).toMatchObject({ value: '127.0.0.1', isDefault: true })
  expect(of('HEADERS_TIMEOUT_MS')).toMatchObject({ value: '15000', isDefault: true })
  expect(of('PUBLIC_BASE_URL')).toMatchObject({ value: null, isDefault: true })
})

test('settings in force never show a secret, nor credentials in an address', () => {
  const canary = 'canary-0123456789-0123456789-0123456789'
  const names = settingsInForce({}).map(({ name }) => name)
  const addresses = Object.fromEntries(names.map((name) => [name, `https://user:${canary}@a.example/b`]))
  expect(JSON.stringify(settingsInForce(addresses))).not.toContain(canary)
  const of = shown({ ADMIN_API_KEY: canary, DATABASE_URL: `postgres://u:${canary}@db/x` })
  expect(of('ADMIN_API_KEY')).toMatchObject({ value: '[secret]', isSecret: true, isDefault: false })
  expect(of('SLUICE_SECRET')).toMatchObject({ value: null, isSecret: true })
  expect(of('DATABASE_URL')?.value).not.toContain(canary)
})
