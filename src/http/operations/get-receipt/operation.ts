import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { readMember } from '../../body/request-body.ts'
import { clientOperation, openOperation } from '../../operation.ts'
import { parseTaskId } from '../../schema/parse-id.ts'
import { listTasks } from '../list-tasks/operation.ts'

const KEYS_PATH = '/.well-known/sluice-receipts.json'

export const Receipt = json.object(
  {
    payload: json.string({ description: 'The receipt itself: JSON, as base64url.' }),
    protected: json.string({ description: 'JSON, as base64url: `alg` is `EdDSA`, and `kid` names the key.' }),
    signature: json.string({
      description: 'Ed25519 signature of the text `protected` + `.` + `payload`, as base64url.',
    }),
  },
  { title: 'Receipt', description: 'A flattened JWS (RFC 7515).' },
)

const ABOUT = `It says who asked, what was ordered, which model of which vendor made it, what it cost and how that was computed. \`previous\` is the SHA-256, as base64url, of \`protected.payload.signature\` of the organization's previous receipt; it is null in the first one. The keys stand at \`${KEYS_PATH}\`.`

export const getTaskReceipt = clientOperation(
  'getTaskReceipt',
  'GET /v1/video/generations/:task_id/receipt',
  'video',
  {
    summary: 'Get the receipt of a video task',
    description: `The signed receipt of a task that has ended, also of one that cost nothing. It never changes, and stays when the task is deleted. ${ABOUT}`,
    example: { earlier: { operation: listTasks, query: '?limit=1', take: ['data', 0, 'id'] } },
    replies: {
      200: { description: 'The receipt.', schema: Receipt },
      404: { description: 'This API key has no such task.' },
      409: { description: 'The task has not ended.' },
      503: { description: 'The store is not available, or the gateway is busy.' },
    },
    async serve({ app }, request, reply) {
      const id = parseTaskId(request.params)
      const jws = await app.getTaskReceipt({ id, caller: request.caller })
      reply.type('application/json; charset=utf-8')
      return jws
    },
  },
)

export const getTextReceipt = clientOperation(
  'getTextReceipt',
  'GET /v1/usage/:request_id/receipt',
  'responses',
  {
    summary: 'Get the receipt of a text request',
    description: `The id is the \`x-request-id\` of the reply. Every API key of the organization can read the receipt, from a moment after the reply, when the request is charged. The receipt is made when it is first asked for, and then never changes. With the \`x-request-id\` of the call that made a video task, the answer is the receipt of that task; only the API key that made the task can read it. With the \`group_id\` of a person who revoked the consent, the answer is the signed record of the revocation. ${ABOUT}`,
    replies: {
      200: { description: 'The receipt.', schema: Receipt },
      404: { description: 'Nothing was charged for such a request.' },
      409: { description: 'The request made a video task, which has not ended.' },
      410: {
        description:
          'The usage of that time was deleted before anyone asked for this receipt, so it cannot be made any more.',
      },
      503: { description: 'The store is not available, or the gateway is busy.' },
    },
    async serve({ app }, request, reply) {
      const requestId = parseRequestId(request.params)
      const jws = await app.getTextReceipt({ requestId, caller: request.caller })
      reply.type('application/json; charset=utf-8')
      return jws
    },
  },
)

/** Every id that the gateway makes matches. Other values get 404, and the store is not read. */
const ID = /^[\w-]{1,64}$/

function parseRequestId(params: unknown): string {
  const id = readMember(params, 'request_id')
  if (typeof id === 'string' && ID.test(id)) return id
  throw new ApiError('not_found', { message: 'Nothing was charged for a request with this id.' })
}

export const receiptKeys = openOperation('receiptKeys', `GET ${KEYS_PATH}`, {
  summary: 'List the keys that sign receipts',
  description:
    'A JSON Web Key Set with every key that ever signed a receipt here, the newest first. It is empty before the first receipt.',
  replies: {
    200: {
      description: 'The keys.',
      schema: json.object({
        keys: json.array(
          json.object({
            kty: json.literal('OKP'),
            crv: json.literal('Ed25519'),
            x: json.string({ description: 'The public key: 32 bytes as base64url.' }),
            kid: json.string({ description: 'Thumbprint of the key (RFC 7638); receipts name it.' }),
            use: json.literal('sig'),
            alg: json.literal('EdDSA'),
          }),
        ),
      }),
    },
    503: { description: 'The store is not available, or the gateway is busy.' },
  },
  serve: ({ app }) => app.listReceiptKeys(),
})
