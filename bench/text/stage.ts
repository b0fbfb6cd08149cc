import type { Dialect } from '../../src/domain/catalog/dialects.ts'
import { startNginx } from '../peers/start-nginx.ts'
import { startPeer } from '../peers/start-peer.ts'
import { startPortkey } from '../peers/start-portkey.ts'
import { requestIn, type TextRequest } from './requests.ts'
import { startSluice } from './start-sluice.ts'

/** One way from a client to the upstream, with the request that takes it. */
export interface Way {
  name: string
  kind: 'direct' | 'bare' | 'nginx' | 'sluice' | 'portkey'
  client: Dialect
  isConverted: boolean
  /** Of the process in between; of the upstream itself for the direct way. */
  pid: number
  url: string
  headers: Record<string, string>
  request: TextRequest
}

export interface Stage {
  ways: readonly Way[]
  stop(): Promise<void>
}

/** Everything that is compared, before one upstream; each in a process of its own. */
export async function openStage({
  stream,
  paced = false,
}: {
  stream: boolean
  paced?: boolean
}): Promise<Stage> {
  // What is begun is ended, also when the next one does not come up.
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop())
  const bare = await startPeer('bare-pipe.ts', { UPSTREAM: upstream.url })
  started.adopt(bare, (peer) => peer.stop())
  const nginx = started.adopt(await startNginx(upstream.url), (peer) => peer?.stop())
  const portkey = started.adopt(await startPortkey(), (peer) => peer?.stop())
  const sluice = started.adopt(await startSluice(upstream.url), (gateway) => gateway.stop())

  const json = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const withKey = { ...json, authorization: `Bearer ${sluice.key}` }
  const pace = paced ? 'paced-' : ''
  const plain = { headers: json, isConverted: false }
  const ask = (client: Dialect, model: string) => requestIn(client, { model: pace + model, stream })
  const askSluice = (client: Dialect, model: string) =>
    requestIn(client, { model: `vendorC/${pace}${model}`, stream })

  const ways: Way[] = []
  for (const client of ['messages', 'responses', 'chat'] as const) {
    const request = ask(client, client)
    ways.push({ ...plain, ...upstream, name: `upstream, ${client}`, kind: 'direct', client, request })
    ways.push({ ...plain, ...bare, name: `bare pipe, ${client}`, kind: 'bare', client, request })
    if (nginx) ways.push({ ...plain, ...nginx, name: `nginx, ${client}`, kind: 'nginx', client, request })
  }
  for (const client of ['messages', 'responses'] as const) {
    const same = { ...sluice, headers: withKey, kind: 'sluice', client } as const
    ways.push({ ...same, name: `Sluice, ${client}`, isConverted: false, request: askSluice(client, client) })
    ways.push({
      ...same,
      name: `Sluice, ${client} -> chat`,
      isConverted: true,
      request: askSluice(client, 'chat'),
    })
  }
  if (portkey !== undefined) {
    const host = { ...json, authorization: 'Bearer bench', 'x-portkey-custom-host': `${upstream.url}/v1` }
    const chat = { ...portkey, kind: 'portkey', client: 'chat', request: ask('chat', 'chat') } as const
    const openai = { ...host, 'x-portkey-provider': 'openai' }
    const anthropic = { ...host, 'x-portkey-provider': 'anthropic' }
    ways.push({ ...chat, name: 'Portkey, chat', isConverted: false, headers: openai })
    ways.push({ ...chat, name: 'Portkey, chat -> messages', isConverted: true, headers: anthropic })
  }
  const everything = started.move()
  return { ways, stop: () => everything.disposeAsync() }
}
