import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary } from './find-binary.ts'

export interface Wanted {
  /** Any of these programs will do. */
  binaries: readonly string[]
  debianPackage: string
  homebrewPackage: string
  /** Variable with the URL of a running server for the tests; a program that is no server has none. */
  variable?: string
}

/** Finds the program, else installs it if allowed, else explains how to get it. Tests never go on without. */
export function obtainBinary(wanted: Wanted): string {
  const found = findBinary(wanted.binaries)
  if (found !== undefined) return found
  const failure = installFromDebian(wanted.debianPackage)
  const installed = findBinary(wanted.binaries)
  if (installed !== undefined) return installed
  throw new Error(missingMessage(wanted, failure))
}

const INSTALL_TIMEOUT_MS = 300_000

/** Returns why it could not, or undefined after a run without errors. */
export function installFromDebian(debianPackage: string): string | undefined {
  if (findBinary(['apt-get']) === undefined) return 'there is no apt-get here'
  const asRoot = rootPrefix()
  if (asRoot === undefined) return 'installing needs root or sudo without a password'
  process.stderr.write(`The tests need ${debianPackage}: installing it with apt-get.\n`)
  try {
    runAptGet(asRoot, ['update'])
    runAptGet(asRoot, ['install', '-y', '--no-install-recommends', debianPackage])
    return undefined
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Prefix that runs a command as root; undefined when there is none. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return []
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return ['sudo', '-n']
  } catch {
    return undefined
  }
}

/** Two workers may miss the same program, and an update does not wait: it fails while another update runs. */
const ONE_AT_A_TIME = join(tmpdir(), 'sluice-tests-apt-get.lock')

function runAptGet(asRoot: string[], args: string[]): void {
  const [command = 'env', ...rest] = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'flock',
    ONE_AT_A_TIME,
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=120',
    ...args,
  ]
  execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_TIMEOUT_MS })
}

function missingMessage(wanted: Wanted, failure: string | undefined): string {
  const { binaries, debianPackage, homebrewPackage, variable } = wanted
  const ways = `Debian: apt-get install ${debianPackage}; macOS: brew install ${homebrewPackage}`
  return [
    `The tests need ${binaries.join(' or ')}, which is not on this machine${failure ? ` (${failure})` : ''}.`,
    ...(variable === undefined
      ? [`Install it (${ways}).`]
      : [`Install it (${ways}),`, `or set ${variable} to a server that the tests may fill and empty.`]),
  ].join('\n')
}
