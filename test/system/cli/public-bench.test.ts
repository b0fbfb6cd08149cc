import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { UPSTREAM_REPLIES } from '../../../bench/text/upstream-replies.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'

interface Definition {
  files: Record<string, object>
  environment: Record<string, string>
  start: string[]
  ready: { url: string; status: number }
  prepare: { run: string[]; keep?: Record<string, string> }[]
  requests: { name: string; url: string; headers: Record<string, string>; body: object; asks: string }[]
}

const ROOT = join(import.meta.dirname, '../../..')
const WHOLE: Record<string, string> = {
  '/v1/messages': UPSTREAM_REPLIES.messages.whole,
  '/v1/responses': UPSTREAM_REPLIES.responses.whole,
  '/v1/chat/completions': UPSTREAM_REPLIES.chat.whole,
}

test('the definition for public benchmarks starts a gateway that answers each of its requests', async () => {
  const text = readFileSync(join(ROOT, 'bench/public/sluice.json'), 'utf8')
  const definition: Definition = JSON.parse(text)
  const asked: string[] = []
  const upstream = createServer((request, response) => {
    asked.push(`${request.method} http://${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'application/json').end(WHOLE[request.url ?? ''])
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void upstream.close())
  await once(upstream, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-public-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

  const { port } = upstream.address() as AddressInfo
  const known: Record<string, string> = { FOLDER: folder, UPSTREAM_URL: `http://127.0.0.1:${port}` }
  const fill = (given: string) => given.replace(/\$\{(\w+)\}/g, (_, name) => known[name] ?? '')
  for (const [path, content] of Object.entries(definition.files))
    writeFileSync(fill(path), JSON.stringify(content))
  const filled = Object.entries(definition.environment).map(([name, value]) => [name, fill(value)])
  const { PORT = '', ...environment }: Record<string, string> = Object.fromEntries(filled)
  const [, ...args] = definition.start
  const gateway = await startGateway({ args, env: environment })
  onTestFinished(async () => void (await gateway.stop()))
  // The tests choose their ports themselves.
  const here = (url: string) => url.replace(`http://127.0.0.1:${PORT}`, gateway.baseUrl)
  expect((await fetch(here(definition.ready.url))).status).toBe(definition.ready.status)

  for (const { run, keep = {} } of definition.prepare) {
    const [, ...words] = run.map(fill)
    const env = { ...process.env, ...environment }
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT, env })
    for (const [name, member] of Object.entries(keep)) known[name] = JSON.parse(stdout)[member]
  }
  for (const { name, url, headers, body, asks } of definition.requests) {
    asked.length = 0
    const sent = Object.entries(headers).map(([header, value]) => [header, fill(value)])
    const answer = await fetch(here(url), {
      ...{ method: 'POST', headers: Object.fromEntries(sent), body: JSON.stringify(body) },
    })
    expect([name, answer.status, asked]).toEqual([name, 200, [fill(asks)]])
  }
}, 120_000)
