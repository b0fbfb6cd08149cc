import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadOrMakeSecret } from './secret-file.ts'

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the secret is made once, kept, and readable by its owner only', () => {
  const dataDir = join(freshFolder(), 'data')
  const secret = loadOrMakeSecret(dataDir)
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(loadOrMakeSecret(dataDir)).toBe(secret)
  expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['secret'])
})

test.each(['', 'short', '\n'])('a damaged secret %j is refused, not used', (content) => {
  const dataDir = freshFolder()
  writeFileSync(join(dataDir, 'secret'), content)
  expect(() => loadOrMakeSecret(dataDir)).toThrow(/is damaged/)
})
