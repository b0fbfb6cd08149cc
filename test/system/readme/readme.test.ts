import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_CALLS } from '../../../src/process/banner.ts'
import { findBox, readBoxes } from '../../api/sandbox/read-mp4.ts'
import { freePort } from '../../servers/free-port.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { freshClone } from './clone.ts'
import { openTerminal, type TerminalWindow } from './open-terminal.ts'
import { fillIn, readWalk } from './read-walk.ts'

const PATIENCE_MS = 120_000
/** A walk is pasted line by line: a line that fails must not hide behind the next one. */
const STRICTLY = 'set -euo pipefail\n'

interface Reader {
  folder: string
  port: number
  environment: Record<string, string>
}

async function newReader(): Promise<Reader> {
  const port = await freePort()
  const environment = {
    PORT: String(port),
    SLUICE_CONFIG: NO_PROVIDERS,
    SANDBOX: 'on',
    // The machine may be busy with other tests.
    SHED_LAG_MS: '60000',
    // npm must not look for its own updates: the tests use no network.
    npm_config_update_notifier: 'false',
  }
  return { folder: freshClone(), port, environment }
}

/** Starts the gateway with the commands of the README, and reads what it prints. */
async function startGateway(commands: string, reader: Reader): Promise<TerminalWindow> {
  const gateway = openTerminal(commands, reader)
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  return gateway
}

function printed(pattern: RegExp, gateway: TerminalWindow): string {
  const found = pattern.exec(gateway.output())?.[0]
  if (found === undefined) throw new Error(`${pattern} is not in:\n${gateway.output()}`)
  return found
}

test('the quick start ends with a playable clip', { timeout: PATIENCE_MS }, async () => {
  const [start = '', calls = '', ...more] = readWalk('Quick start')
  expect(more).toEqual([])
  expect(calls).toBe(`KEY=sk-sluice-... URL=http://127.0.0.1:8080\n${FIRST_CALLS}\n`)
  const reader = await newReader()
  const gateway = await startGateway(fillIn(start, { 'npm ci && ': '' }), reader)

  const pasted = fillIn(calls, {
    'sk-sluice-...': printed(/sk-sluice-[\w-]{48}/, gateway),
    '127.0.0.1:8080': `127.0.0.1:${reader.port}`,
  })
  const second = openTerminal(STRICTLY + pasted, { folder: reader.folder })
  expect({ code: await second.done(), output: second.output() }).toMatchObject({ code: 0 })
  expect(second.output()).toContain('You said: Which way does the water go?')

  const clip = readFileSync(join(reader.folder, 'clip.mp4'))
  expect(findBox(readBoxes(clip), 'moov/trak/mdia/minf/stbl').content.length).toBeGreaterThan(0)
  await gateway.interrupt()
})

test('the console is opened by the link that the start prints', { timeout: PATIENCE_MS }, async () => {
  const [start = '', ...more] = readWalk('The console')
  expect(more).toEqual([])
  const gateway = await startGateway(STRICTLY + start, await newReader())
  const link = printed(/http:\S+\/console\/sign-in\?token=\S+/, gateway)
  const answer = await fetch(link, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('set-cookie')).toMatch(/^sluice_session=/)
  await gateway.interrupt()
})

test('a callback arrives at the receiver of the README', { timeout: PATIENCE_MS }, async () => {
  const [start = ''] = readWalk('Quick start')
  const [restart = '', receive = '', create = '', ...more] = readWalk(
    'Try it on your machine',
    'docs/callbacks.md',
  )
  expect(more).toEqual([])
  const reader = await newReader()
  const first = await startGateway(fillIn(start, { 'npm ci && ': '' }), reader)
  await first.interrupt()

  const gateway = await startGateway(STRICTLY + restart, reader)
  const receiverPort = await freePort()
  const receiver = openTerminal(STRICTLY + fillIn(receive, { 'org_...': printed(/org_\w+/, first) }), {
    folder: reader.folder,
    environment: { ...reader.environment, RECEIVER_PORT: String(receiverPort) },
  })
  await expect.poll(() => receiver.output()).toContain('Waiting for callbacks')

  const pasted = fillIn(create, {
    'sk-sluice-...': printed(/sk-sluice-[\w-]{48}/, first),
    '127.0.0.1:8080': `127.0.0.1:${reader.port}`,
    '127.0.0.1:8443': `127.0.0.1:${receiverPort}`,
  })
  const third = openTerminal(STRICTLY + pasted, { folder: reader.folder })
  expect({ code: await third.done(), output: third.output() }).toMatchObject({ code: 0 })
  const { id } = JSON.parse(third.output())

  await expect
    .poll(() => receiver.output())
    .toMatch(new RegExp(`${id} has succeeded\\. The signature is right\\.[^]*video_url`))
  await receiver.interrupt()
  await gateway.interrupt()
})

test('a verified person ends up in a clip', { timeout: PATIENCE_MS }, async () => {
  const [start = ''] = readWalk('Quick start')
  const walk = readWalk('Try it: a verified person in a clip', 'docs/assets.md')
  const reader = await newReader()
  const gateway = await startGateway(fillIn(start, { 'npm ci && ': '' }), reader)

  const pasted = fillIn(walk.join(''), {
    'sk-sluice-...': printed(/sk-sluice-[\w-]{48}/, gateway),
    '127.0.0.1:8080': `127.0.0.1:${reader.port}`,
  })
  const second = openTerminal(STRICTLY + pasted, { folder: reader.folder })
  expect({ code: await second.done(), output: second.output() }).toMatchObject({ code: 0 })
  const asset = JSON.parse(readFileSync(join(reader.folder, 'asset.json'), 'utf8'))
  expect(asset).toMatchObject({ status: 'active', group_id: expect.stringMatching(/^group_/) })
  expect(second.output()).toContain('"status":"succeeded"')

  const clip = readFileSync(join(reader.folder, 'portrait.mp4'))
  expect(findBox(readBoxes(clip), 'moov/trak/mdia/minf/stbl').content.length).toBeGreaterThan(0)
  await gateway.interrupt()
})

test('a text stream answers', { timeout: PATIENCE_MS }, async () => {
  const [start = ''] = readWalk('Quick start')
  // The agent itself has a test of its own: `npm run test:agents`.
  const [response = '', agent = '', ...more] = readWalk('Text models and coding agents')
  expect(agent).toMatch(/claude$/m)
  expect(more).toEqual([])
  const reader = await newReader()
  const gateway = await startGateway(fillIn(start, { 'npm ci && ': '' }), reader)

  const pasted = fillIn(response, {
    'sk-sluice-...': printed(/sk-sluice-[\w-]{48}/, gateway),
    '127.0.0.1:8080': `127.0.0.1:${reader.port}`,
  })
  const second = openTerminal(STRICTLY + pasted, { folder: reader.folder })
  expect({ code: await second.done(), output: second.output() }).toMatchObject({ code: 0 })
  expect(second.output()).toContain('event: response.completed')
  expect(second.output()).toContain('"output_text":"1 2 3 4 5"')
  await gateway.interrupt()
})
