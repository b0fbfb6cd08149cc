import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { AUTHORITY_FILE, startTlsTarget } from './harness/tls-target.ts'

const CLIENT_FILE = new URL('../../../src/adapters/outbound/guarded-client.ts', import.meta.url)

it('NODE_EXTRA_CA_CERTS makes the guarded client trust another authority, and nothing else does', async () => {
  const target = await startTlsTarget((_request, response) => response.end('taken'))
  try {
    expect(await sendFromChild(target.port, { NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE) })).toBe(
      '200',
    )
    expect(await sendFromChild(target.port, {})).toBe('refused')
  } finally {
    await target.close()
  }
})

async function sendFromChild(port: number, env: Record<string, string>): Promise<string> {
  const script = `
    import { createGuardedClient } from ${JSON.stringify(CLIENT_FILE.href)}
    const client = createGuardedClient({
      allow: ['127.0.0.0/8'], connections: 1, queueLimit: 1, queueWaitMs: 1_000, connectTimeoutMs: 10_000,
      metrics: { watchPool() {}, upstreamCallFinished() {} }, resolve: async () => ['127.0.0.1'],
    })
    const url = 'https://callback.test:${port}/'
    const call = { operation: 'try', holder: 'org_1', url, method: 'GET', headers: {}, totalTimeoutMs: 10_000, maxBytes: 100 }
    process.stdout.write(await client.send(call).then((answer) => String(answer.status), (failure) => failure.kind))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return output
}
