import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { runClient } from './run-client.ts'

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  return () => gateway.close()
})

/**
 * Checks that each scenario must run and pass. The suite has no keys, so a proxy adds one.
 * `server-sse-multiple-streams` runs no check for a server without sessions: the proxy gives that client a session id,
 * which the gateway does not read.
 */
test.each([
  ['server-initialize', ['server-initialize']],
  ['ping', ['ping']],
  ['tools-list', ['tools-list']],
  ['resources-list', ['resources-list']],
  ['server-sse-multiple-streams', ['server-accepts-multiple-post-streams', 'server-sse-streams-functional']],
])('the conformance scenario %s', async (scenario, checks) => {
  const program = join(
    inject('clientsFolder'),
    'mcpConformance/node_modules/@modelcontextprotocol/conformance/dist/index.js',
  )
  const url = await openProxy({ 'mcp-session-id': 'a-session-of-the-proxy' })
  const folder = join(gateway.workplace, scenario)
  const words = [program, 'server', '--url', `${url}/mcp`, '--scenario', scenario, '-o', folder]
  const run = await runClient(gateway, { words })
  const [name = ''] = readdirSync(folder)
  const results: { id: string; status: string }[] = JSON.parse(
    readFileSync(join(folder, name, 'checks.json'), 'utf8'),
  )
  expect(
    results.map(({ id, status }) => [id, status]),
    run.stdout,
  ).toEqual(checks.map((id) => [id, 'SUCCESS']))
})

/** Opens a proxy that adds the key to every request, and headers to every answer. */
async function openProxy(added: Record<string, string>): Promise<string> {
  const proxy = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const authorization = `Bearer ${gateway.key}`
    const passed = request(`${gateway.baseUrl}${url}`, { method, headers: { ...headers, authorization } })
    passed.once('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, { ...given.headers, ...added })
      given.pipe(answer)
    })
    passed.once('error', () => answer.destroy())
    asked.pipe(passed)
  })
  onTestFinished(() => void proxy.close().closeAllConnections())
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${port}`
}
