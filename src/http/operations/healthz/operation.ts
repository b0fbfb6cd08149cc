import { CHALLENGE, CHALLENGE_HEADER } from '../../../app/access/gateway-proof.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { openOperation } from '../../operation.ts'

export const healthz = openOperation('healthz', 'GET /healthz', {
  essential: true,
  summary: 'Is the process alive?',
  headers: {
    [CHALLENGE_HEADER]: {
      schema: json.string({ pattern: CHALLENGE.source }),
      description:
        '32 random bytes in base64url, for those who have `SLUICE_SECRET`: `proof` shows that this process has it too. Anything else is ignored.',
    },
  },
  replies: {
    200: {
      description: 'The process is alive.',
      schema: json.object({ status: json.literal('ok'), proof: json.optional(json.string()) }),
    },
  },
  serve({ app }, { headers, raw }, reply) {
    const challenge = headers[CHALLENGE_HEADER]
    const proof =
      typeof challenge === 'string' ? app.proveGateway(challenge, raw.socket.localPort ?? 0) : undefined
    return reply.send(proof === undefined ? { status: 'ok' } : { status: 'ok', proof })
  },
})
