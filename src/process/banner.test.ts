import { expect, test } from 'vitest'
import { micros } from '../domain/billing/micros.ts'
import { banner } from './banner.ts'

const parts = {
  program: 'npx sluice',
  version: '1.2.3',
  url: 'http://127.0.0.1:8080',
  engine: 'PostgreSQL',
  sandboxUrl: undefined,
}
const demo = {
  organizationId: 'org_1',
  userId: 'usr_1',
  key: 'sk-sluice-1',
  creditMicros: micros(25_000_000),
}

test('without a public address all links use the address of the server', () => {
  expect(banner({ ...parts, publicUrl: undefined, demo: undefined })).toBe(
    'Sluice 1.2.3 is ready on http://127.0.0.1:8080 (store: PostgreSQL)\nReference: http://127.0.0.1:8080/docs\n',
  )
})

test('a public address is shown, and used in the commands', () => {
  const text = banner({ ...parts, publicUrl: 'https://ai.example', demo })
  expect(text).toContain('ready on http://127.0.0.1:8080 ')
  expect(text).toContain('Clients reach it at https://ai.example\n')
  expect(text).toContain('  KEY=sk-sluice-1 URL=https://ai.example\n')
  expect(text).toContain('Reference: https://ai.example/docs')
})

test('the banner of a demo has its balance, and commands with its ids', () => {
  const text = banner({ ...parts, publicUrl: undefined, demo })
  expect(text).toContain('A demo organization (org_1) with 25 USD and a user (usr_1) were made for you.')
  expect(text).toContain('"npx sluice key create --org org_1 --user usr_1" makes another:')
})

test('without an admin key a newcomer learns how to get a link to the console', () => {
  expect(banner({ ...parts, publicUrl: undefined, demo })).toContain(
    'ADMIN_API_KEY=$(openssl rand -hex 16) npx sluice prints a link',
  )
})

test('a link to the console is on the address where the server listens, not on the public one', () => {
  const signInPath = '/console/sign-in?token=li-sluice-1'
  const text = banner({ ...parts, publicUrl: 'https://ai.example', demo: undefined, signInPath })
  expect(text).toContain('http://127.0.0.1:8080/console/sign-in?token=li-sluice-1\n')
  expect(text).not.toContain('https://ai.example/console')
})
