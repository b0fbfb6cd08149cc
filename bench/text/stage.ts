import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import { startLlms, startPortkey } from '../peers/start-gateways.ts'
import { startNginx } from '../peers/start-nginx.ts'
import { startPeer } from '../peers/start-peer.ts'
import { type BenchRequest, requestIn } from './requests.ts'
import { startSluice } from './start-sluice.ts'

export type Kind = 'direct' | 'dispatch' | 'pipe' | 'nginx' | 'sluice' | 'portkey' | 'llms'

/** One way from a client to the upstream, with the request that takes it. */
export interface Way {
  name: string
  kind: Kind
  client: Dialect
  isConverted: boolean
  /** Id of the process in between; of the upstream itself for the direct way. */
  pid: number
  url: string
  headers: Record<string, string>
  request: BenchRequest
}

export interface Stage {
  ways: readonly Way[]
  stop(): Promise<void>
}

export interface Scene {
  stream: boolean
  kinds: readonly Kind[]
  /** Dialects of the clients; nginx gets the first one alone, llms messages, and Portkey chat. */
  clients?: readonly Dialect[]
  /** One event every 50 ms. */
  paced?: boolean
  /** The upstream speaks TLS. */
  tls?: boolean
  images?: readonly string[]
}

const CERTIFICATES = join(import.meta.dirname, '../../test/system/faults/harness/fixtures')
const JSON_HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }

/** Starts everything that is compared, in front of one upstream; each in its own process. */
export async function openStage(scene: Scene): Promise<Stage> {
  const { kinds, clients = ['messages'], stream, images = [], paced = false, tls = false } = scene
  // Started processes are ended, also when the next one does not start.
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', tls ? certificate() : {}), (peer) =>
    peer.stop(),
  )
  const trust: Record<string, string> = tls
    ? { NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'authority.pem') }
    : {}
  const to = { ...trust, UPSTREAM: upstream.url }
  const start = async <T extends { stop(): unknown }>(kind: Kind, begin: () => Promise<T | undefined>) => {
    if (!kinds.includes(kind)) return undefined
    return started.adopt(await begin(), async (peer) => void (await peer?.stop()))
  }
  const ways: Way[] = []
  const pace = paced ? 'paced-' : ''
  const ask = (client: Dialect, model: string) => requestIn(client, { model, stream, images })
  const plain = { headers: JSON_HEADERS, isConverted: false }
  const add = (peer: Pick<Way, 'url' | 'pid'> | undefined, kind: Kind, label: string) => {
    if (peer === undefined) return
    for (const client of kind === 'nginx' ? clients.slice(0, 1) : clients) {
      const request = ask(client, pace + client)
      ways.push({ ...plain, ...peer, name: `${label}, ${client}`, kind, client, request })
    }
  }

  if (kinds.includes('direct')) add(upstream, 'direct', 'upstream')
  add(await start('dispatch', () => startPeer('bare-pipe.ts', to)), 'dispatch', 'bare dispatch')
  add(await start('pipe', () => startPeer('bare-pipe.ts', { ...to, WITH_STREAMS: '1' })), 'pipe', 'bare pipe')
  add(await start('nginx', () => startNginx(upstream.url)), 'nginx', 'nginx')

  const sluice = await start('sluice', () => startSluice(upstream.url, trust))
  if (sluice !== undefined) {
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${sluice.key}` }
    for (const client of clients) {
      const same = { ...sluice, headers, kind: 'sluice', client } as const
      const passed = ask(client, `vendorC/${pace}${client}`)
      const other = client === 'chat' ? 'messages' : 'chat'
      const converted = ask(client, `vendorC/${pace}${other}`)
      ways.push({ ...same, name: `Sluice, ${client}`, isConverted: false, request: passed })
      ways.push({ ...same, name: `Sluice, ${client} -> ${other}`, isConverted: true, request: converted })
    }
  }

  const llms = await start('llms', () => startLlms(upstream.url))
  if (llms !== undefined) {
    const same = { ...llms, headers: JSON_HEADERS, kind: 'llms', client: 'messages' } as const
    const passed = ask('messages', `passed,${pace}messages`)
    const converted = ask('messages', `converted,${pace}chat`)
    ways.push({ ...same, name: '@musistudio/llms, messages', isConverted: false, request: passed })
    ways.push({ ...same, name: '@musistudio/llms, messages -> chat', isConverted: true, request: converted })
  }

  const portkey = await start('portkey', startPortkey)
  if (portkey !== undefined) {
    const host = {
      ...JSON_HEADERS,
      authorization: 'Bearer bench',
      'x-portkey-custom-host': `${upstream.url}/v1`,
    }
    const same = { ...portkey, kind: 'portkey', client: 'chat', request: ask('chat', `${pace}chat`) } as const
    const openai = { ...host, 'x-portkey-provider': 'openai' }
    const anthropic = { ...host, 'x-portkey-provider': 'anthropic' }
    ways.push({ ...same, name: 'Portkey, chat', isConverted: false, headers: openai })
    ways.push({ ...same, name: 'Portkey, chat -> messages', isConverted: true, headers: anthropic })
  }
  const everything = started.move()
  return { ways, stop: () => everything.disposeAsync() }
}

function certificate(): Record<string, string> {
  const read = (name: string) => readFileSync(join(CERTIFICATES, name), 'utf8')
  return { CERTIFICATE: read('server.pem'), CERTIFICATE_KEY: read('server-key.pem') }
}
