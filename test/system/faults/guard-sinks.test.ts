import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { forbiddenUrls } from './forbidden-urls.ts'
import type { GuardReport } from './guarded-world.ts'

/** Every n-th URL is tried. */
const EVERY = roundsOf({ slice: 12, whole: 1 })
const UNSHARE = ['--net', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]

test('there are at least 500 spellings of addresses that must not be reached', () => {
  expect(new Set(forbiddenUrls()).size).toBeGreaterThanOrEqual(500)
})

test(`1 of ${EVERY} of these spellings in every place that takes an address: no canary in its network is reached`, {
  timeout: 900_000,
}, async () => {
  if (!hasNetworkOfItsOwn())
    return reportFigure(
      'no network namespace can be made here: only canaries on loopback addresses were tried',
    )
  const folder = mkdtempSync(join(tmpdir(), 'sluice-guard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const resolver = join(folder, 'resolv.conf')
  writeFileSync(resolver, 'nameserver 127.0.0.1\n')
  const script = `mount --bind ${resolver} /etc/resolv.conf && exec "$0" test/system/faults/guarded-world.ts ${EVERY}`
  const { stdout } = await promisify(execFile)('unshare', [...UNSHARE, 'sh', '-c', script, process.execPath])
  const { urls, sinks, reached, allowed }: GuardReport = JSON.parse(stdout)
  expect(reached).toEqual([])
  expect(Object.values(sinks)).toEqual(Array(14).fill(urls))
  // Connections that are allowed are counted, so the canaries would have counted forbidden ones.
  expect(allowed).toBeGreaterThan(0)
  reportFigure(
    `${urls} addresses in each of ${Object.keys(sinks).length} places (${Object.keys(sinks).join(', ')}): 0 reached; ${allowed} connections to the server that may be reached`,
  )
})

function hasNetworkOfItsOwn(): boolean {
  try {
    const script = 'mount --bind /dev/null /etc/resolv.conf && ip link set lo up'
    execFileSync('unshare', [...UNSHARE, 'sh', '-c', script], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
