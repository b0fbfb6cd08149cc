import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { jsonReply, type SandboxReply } from '../part.ts'
import { sendReply } from '../send-reply.ts'
import type { Fault } from './fault.ts'

/** Neither JSON nor UTF-8, whatever the header says. */
const GARBAGE = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x00, 0x3c, 0x68, 0x74, 0x6d, 0x6c, 0x3e, 0xc3, 0x28])

/** Answers one request the way the fault wants it; `work` is what the vendor would do. */
export async function answerWithFault(
  response: ServerResponse,
  fault: Fault,
  { work, signal }: { work: () => Promise<SandboxReply>; signal: AbortSignal },
): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return sendReply(response, refusal(fault), { signal })
    case 'delay':
      await wait(fault.ms, undefined, { signal })
      return sendReply(response, await work(), { signal })
    case 'hang':
      if (!signal.aborted) await once(signal, 'abort')
      return
    case 'lose-answer':
      await work()
      response.destroy()
      return
    case 'cut':
      return sendReply(response, await work(), { signal, shape: { cutAfterBytes: fault.afterBytes } })
    case 'garbage': {
      await work()
      const headers = { 'content-type': 'application/json' }
      return sendReply(response, { status: 200, headers, body: GARBAGE }, { signal })
    }
    case 'drip':
      return sendReply(response, await work(), { signal, shape: { bytesPerSecond: fault.bytesPerSecond } })
  }
}

function refusal({ status, body, headers }: Extract<Fault, { kind: 'status' }>): SandboxReply {
  if (typeof body === 'string') {
    return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body }
  }
  return jsonReply(status, body ?? { error: { message: 'scripted fault' } }, headers)
}
