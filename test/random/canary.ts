import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Part of every secret that the tests of faults make up: keys of vendors, the deployment's secret, links of clients. */
export const CANARY = 'canary-that-must-not-show'

/** Texts that a log must never contain: the canary, and whole secrets of our own. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a planted secret': new RegExp(CANARY),
  'an API key': /sk-sluice-[\w-]{40,}/,
  "an operator's key": /op-sluice-[\w-]{40,}/,
  'a webhook secret': /whsec_[\w+/=-]{24,}/,
}

/** A first start shows the demo's key to the person who started it, once. */
const DEMO_KEY = /^Their API key is shown only this once.*?^Reference: /ms

/** Variable with the folder in which the processes of `npm run faults` write their logs. */
export const LOGS_VARIABLE = 'TEST_LOGS_DIR'

/** Searches a folder of logs: counts its files and bytes, and lists the secrets that it finds. */
export function searchLogs(folder: string): { files: number; bytes: number; found: string[] } {
  const names = readdirSync(folder)
  const found: string[] = []
  let bytes = 0
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8').replace(DEMO_KEY, '')
    bytes += text.length
    for (const [what, pattern] of Object.entries(SECRETS)) {
      const at = text.search(pattern)
      if (at !== -1) found.push(`${what}: ${lineAt(text, at).slice(0, 200)}`)
    }
  }
  return { files: names.length, bytes, found }
}

function lineAt(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? ''
}
