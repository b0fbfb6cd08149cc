import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'
import { openTerminal } from './open-terminal.ts'

const PAGE = new URL('../../../docs/customers.md', import.meta.url)
const ROOT = new URL('../../../', import.meta.url).pathname

/** The whole page as a reader would paste it; a line that fails must not hide behind the next. */
function pasted(port: number): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  return [
    'set -euo pipefail',
    'cd "$WORK"',
    'npx() { shift; "$NODE" "$ROOT/bin/sluice.js" "$@"; }',
    ...blocks,
  ]
    .join('\n')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

test.each(['SQLite', 'PostgreSQL and Redis'])(
  'docs/customers.md on %s: customer, budget, traffic, report, refund, disable, erase',
  { timeout: 180_000 },
  async (engine) => {
    const env: Record<string, string> =
      engine === 'SQLite' ? { DATA_DIR: dataFolder() } : await scaledEnvironment()
    const gateway = await startGateway({ env })
    onTestFinished(async () => void (await gateway.stop()))
    const reader = openTerminal(pasted(gateway.port), {
      folder: dataFolder(),
      environment: { ...env, SANDBOX: 'on', ROOT, NODE: process.execPath, WORK: dataFolder() },
      patienceMs: 170_000,
    })
    const code = await reader.done()
    const output = reader.output()
    expect(code, output).toBe(0)
    const [, cost = ''] = /x-sluice-cost-usd: ([\d.]+)/i.exec(output) ?? []
    expect(Number(cost)).toBeGreaterThan(0)
    expect(output).toContain('This API key may not use this model.')
    // Printed after the payment and after the refund; a replica may still hold a part of the balance.
    expect(output.match(/The balance of org_\w+ is 25\.00 USD/g)).toHaveLength(2)
  },
)
