import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../servers/free-port.ts'
import { type Direction, type FaultMode, nextStep } from './fault-mode.ts'

export interface FaultProxy {
  readonly port: number
  readonly counts: { connections: number; open: number; bytes: Record<Direction, number> }
  /** Changes the mode immediately. Bytes that a limit counts are counted from this call on. */
  setMode(mode: FaultMode): Promise<void>
  /** Ends everything the proxy opened. */
  close(): Promise<void>
}

/** A TCP proxy on loopback, in front of `target`, that misbehaves on command. */
export async function startFaultProxy(target: { port: number; host?: string }): Promise<FaultProxy> {
  const counts = { connections: 0, open: 0, bytes: { 'to-target': 0, 'to-client': 0 } }
  const links = new Set<Link>()
  let mode: FaultMode = { kind: 'pass' }
  let modeChange = new AbortController()

  const server = createServer({ allowHalfOpen: true }, (client) => {
    counts.connections += 1
    if (mode.kind === 'reset') client.resetAndDestroy()
    else openLink(client)
  })

  function openLink(client: Socket): void {
    const { port, host = '127.0.0.1' } = target
    const upstream = connect({ port, host, allowHalfOpen: true })
    const link: Link = { client, upstream, passedBytes: { 'to-target': 0, 'to-client': 0 } }
    links.add(link)
    counts.open += 1
    let sidesOpen = 2
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      // A reset on one side becomes a reset on the other.
      socket.on('error', () => resetLink(link))
      socket.once('close', () => {
        sidesOpen -= 1
        if (sidesOpen === 0 && links.delete(link)) counts.open -= 1
      })
    }
    pump(link, 'to-target', client, upstream).catch(() => resetLink(link))
    pump(link, 'to-client', upstream, client).catch(() => resetLink(link))
  }

  async function pump(link: Link, direction: Direction, source: Socket, sink: Socket): Promise<void> {
    let isEnded = false
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      if (isEnded) continue
      isEnded = !(await forward(link, direction, chunk, sink))
    }
    await whileHanging()
    sink.end()
  }

  /** Asks for the mode before every piece, so that a change applies in the middle of a chunk. */
  async function forward(link: Link, direction: Direction, chunk: Buffer, sink: Socket): Promise<boolean> {
    let rest = chunk
    while (rest.length > 0) {
      await whileHanging()
      const step = nextStep(mode, {
        direction,
        passedBytes: link.passedBytes[direction],
        waitingBytes: rest.length,
      })
      if (step.waitMs > 0 && !(await waited(step.waitMs))) continue
      if (sink.destroyed || sink.writableEnded) return false
      link.passedBytes[direction] += step.bytes
      counts.bytes[direction] += step.bytes
      if (!sink.write(rest.subarray(0, step.bytes)))
        await Promise.race([once(sink, 'drain'), once(sink, 'close')])
      rest = rest.subarray(step.bytes)
      if (step.after === 'half-close') sink.end()
      if (step.after === 'cut') cutLink(link)
      if (step.after !== 'go-on') return false
    }
    return true
  }

  async function whileHanging(): Promise<void> {
    while (mode.kind === 'hang') await once(modeChange.signal, 'abort')
  }

  /** False when the mode changed meanwhile. */
  async function waited(waitMs: number): Promise<boolean> {
    const { signal } = modeChange
    await delay(waitMs, undefined, { signal }).catch(() => {})
    return !signal.aborted
  }

  async function listen(wantedPort: number): Promise<number> {
    server.listen(wantedPort, '127.0.0.1')
    await once(server, 'listening')
    return portOf(server.address())
  }

  async function setMode(next: FaultMode): Promise<void> {
    mode = next
    modeChange.abort()
    modeChange = new AbortController()
    for (const link of links) {
      link.passedBytes = { 'to-target': 0, 'to-client': 0 }
      if (next.kind === 'refuse' || next.kind === 'reset') resetLink(link)
    }
    if (next.kind !== 'refuse' && !server.listening) await listen(port)
    if (next.kind === 'refuse' && server.listening) {
      server.close()
      await once(server, 'close')
    }
  }

  /** Listens on a port below those of outgoing connections: no other process takes it while the proxy refuses. */
  async function listenSomewhere(): Promise<number> {
    for (let attemptsLeft = LISTEN_ATTEMPTS_MAX; ; attemptsLeft -= 1) {
      try {
        return await listen(await freePort())
      } catch (error) {
        if (attemptsLeft === 1) throw error
      }
    }
  }

  const port = await listenSomewhere()
  return { port, counts, setMode, close: () => setMode({ kind: 'refuse' }) }
}

/** Attempts to listen, because another process may take a free port first. */
const LISTEN_ATTEMPTS_MAX = 3

interface Link {
  client: Socket
  upstream: Socket
  passedBytes: Record<Direction, number>
}

function resetLink({ client, upstream }: Link): void {
  client.resetAndDestroy()
  upstream.resetAndDestroy()
}

/** Delivers what was written, then closes. */
function cutLink({ client, upstream }: Link): void {
  client.destroySoon()
  upstream.destroySoon()
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  return address.port
}
