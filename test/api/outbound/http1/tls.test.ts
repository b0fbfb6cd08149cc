import { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Http1Client } from '../../../../src/adapters/outbound/http1/http1-client.ts'
import {
  startTlsTarget,
  type TlsTarget,
  trustTestAuthority,
} from '../../../system/faults/harness/tls-target.ts'
import { record } from './play-reply.ts'

let target: TlsTarget
let distrust: () => void

beforeEach(async () => {
  distrust = trustTestAuthority()
  target = await startTlsTarget(({ socket }, response) => {
    if (!(socket instanceof TLSSocket)) throw new Error('not TLS')
    const facts = [socket.alpnProtocol, socket.servername, socket.isSessionReused() ? 'resumed' : 'new']
    response.writeHead(200, { connection: 'close' }).end(facts.join(' '))
  }, '127.0.0.1')
})
afterEach(async () => {
  distrust()
  await target.close()
})

async function ask(client: Http1Client): Promise<string> {
  const { outcome, handler, over } = record('never')
  client.dispatch({ method: 'GET', path: '/', headers: {}, body: null }, handler)
  await over
  return `${outcome.end} ${outcome.body}`
}

function open(origin: string): Http1Client {
  const limits = { connections: 1, connectTimeoutMs: 10_000, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000 }
  return new Http1Client({ origin: new URL(origin), ...limits })
}

test('sends the server name and HTTP/1.1, and resumes the session for its next connection', async () => {
  const client = open(`https://localhost:${target.port}`)
  const answers = [await ask(client), await ask(client)]
  await client.destroy()
  expect(answers).toEqual(['whole http/1.1 localhost new', 'whole http/1.1 localhost resumed'])
  expect(target.accepted).toHaveLength(2)
})

test('an IP address is not sent as a server name', async () => {
  const client = open(`https://127.0.0.1:${target.port}`)
  expect(await ask(client)).toBe('whole http/1.1 false new')
  await client.destroy()
})

test('a certificate of an unknown authority ends the call before anything is sent', async () => {
  distrust()
  const client = open(`https://localhost:${target.port}`)
  let wasStarted = false
  const { outcome, handler, over } = record('never')
  const started = () => {
    wasStarted = true
  }
  client.dispatch(
    { method: 'GET', path: '/', headers: {}, body: null },
    { ...handler, onRequestStart: started },
  )
  await over
  await client.destroy()
  expect({ wasStarted, body: outcome.body, status: outcome.status }).toEqual({
    wasStarted: false,
    body: '',
    status: undefined,
  })
})
