import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WHOLE } from '../../api/text-resilience/vendor-message.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { openTerminal } from './open-terminal.ts'

const PAGE = new URL('../../../docs/providers.md', import.meta.url)
const ROOT = new URL('../../../', import.meta.url).pathname

/**
 * Actions of a reader besides pasting: nothing is installed, the vendors are simulated, and the printed ids are used.
 */
const READER = `
set -euo pipefail
ORG= USR= KEY=
filled() { local text=$1; text=\${text//org_.../$ORG}; text=\${text//usr_.../$USR}; echo "\${text//sk-sluice-.../$KEY}"; }
npm() { :; }
npx() {
  shift; local words=(); for word in "$@"; do words+=("$(filled "$word")"); done
  "$NODE" "$ROOT/bin/sluice.js" "\${words[@]}" | tee printed.txt
  ORG=$(grep -oE 'org_[0-9a-f]+' printed.txt | tail -1 || echo "$ORG")
  USR=$(grep -oE 'usr_[0-9a-f]+' printed.txt | tail -1 || echo "$USR")
  KEY=$(grep -oE 'sk-sluice-[A-Za-z0-9_-]+' printed.txt | tail -1 || echo "$KEY")
}
curl() { local words=(); for word in "$@"; do words+=("$(filled "$word")"); done; command curl "\${words[@]}"; }
`

const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-4.1-mini' },
  output: [
    {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Downhill.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
}

const VECTORS = {
  ...{ object: 'list', model: 'text-embedding-3-small', usage: { prompt_tokens: 1, total_tokens: 1 } },
  data: [{ object: 'embedding', index: 0, embedding: [1] }],
}

/** Starts a server that simulates both vendors, and refuses requests without the key of the page. */
async function startVendor(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const answer = (status: number, value: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(value)
    const error = (status: number, message: string) =>
      answer(status, JSON.stringify({ error: { type: 'invalid_request_error', code: 'x', message } }))
    const { authorization, 'x-api-key': key } = request.headers
    if (authorization !== 'Bearer ...' && key !== '...') return error(401, 'wrong key')
    if (request.url === '/v1/responses' && body.includes('"input"'))
      return answer(200, JSON.stringify(RESPONSE))
    if (request.url === '/v1/embeddings' && body.includes('"model":"text-embedding-3-'))
      return answer(200, JSON.stringify(VECTORS))
    if (request.url === '/v1/messages' && body.includes('"messages"')) return answer(200, WHOLE)
    return error(request.method === 'GET' ? 404 : 400, 'not that')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('docs/providers.md: presets, catalog, doctor, provider test, and an answer of the vendor', async () => {
  const [files = '', store = '', check = '', models = '', ask = ''] = [
    ...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms),
  ].map(([, block = '']) => block)
  const vendor = await startVendor()
  const folder = dataFolder()
  const environment = { DATA_DIR: join(folder, 'data'), ROOT, NODE: process.execPath }
  const paste = async (...blocks: string[]) => {
    const window = openTerminal([READER, ...blocks].join('\n'), {
      ...{ folder, environment, patienceMs: 100_000 },
    })
    expect(await window.done(), window.output()).toBe(0)
    return window.output()
  }
  await paste(
    files,
    `sed -i 's#https://api.openai.com#${vendor}#; s#https://api.anthropic.com#${vendor}#' sluice.yaml`,
  )
  const keys = 'export OPENAI_API_KEY=... ANTHROPIC_API_KEY=...'
  expect(store).toContain(keys)
  const checked = await paste(store, check, models)
  expect(checked).toContain('openai/gpt-4.1-mini')
  const env = {
    ...{ DATA_DIR: environment.DATA_DIR, SLUICE_CONFIG: join(folder, 'sluice.yaml') },
    ...{ OPENAI_API_KEY: '...', ANTHROPIC_API_KEY: '...' },
  }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  const asked = await paste(keys, ask.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway.port}`))
  expect(asked).toContain('Downhill.')
  expect(gateway.output()).not.toMatch(/model\.(unusable|without_provider)/)
}, 240_000)
