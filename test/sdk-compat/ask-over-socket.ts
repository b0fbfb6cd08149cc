import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import type { WireEvent } from '../fixtures/text/responses/check-grammar.ts'
import type { JudgedGateway } from './start-judged-gateway.ts'

export type Step = object | ((ids: readonly unknown[]) => object)

/** Sends the steps one after the other on one connection of the official client; a step gets the ids so far. */
export async function askOverSocket(
  { url, key }: Pick<JudgedGateway, 'url' | 'key'>,
  steps: readonly Step[],
): Promise<WireEvent[][]> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key })
  const socket = new ResponsesWS(client)
  const turns: WireEvent[][] = []
  const over = Promise.withResolvers<void>()
  const send = () => {
    const step = steps[turns.length]
    const body = typeof step === 'function' ? step(turns.map(idOf)) : step
    turns.push([])
    socket.sendRaw(JSON.stringify({ type: 'response.create', ...body }))
  }
  // Each error of the gateway is an event too.
  socket.on('error', () => {})
  socket.on('close', () => over.reject(new Error('the connection is over')))
  socket.on('event', (event) => {
    const reported: WireEvent = JSON.parse(JSON.stringify(event))
    turns.at(-1)?.push(reported)
    if (reported.type !== 'response.completed' && !('status' in reported)) return
    if (turns.length === steps.length) over.resolve()
    else send()
  })
  send()
  await over.promise.finally(() => socket.close())
  return turns
}

export function idOf(events: readonly WireEvent[] | undefined): unknown {
  return Object(events?.at(-1)?.response).id
}
