import type { DocsPage } from './block.ts'

const MESSAGE = `POST /your/callback HTTP/1.1
content-type: application/json
webhook-id: msg_019a2b3c...
webhook-timestamp: 1767323045
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"id":"task_019a2b3c...","object":"video.generation.task","status":"succeeded",
 "content":{"video_url":"https://..."},"metadata":{"order":17}}`

const CHECK = `import { createHmac, timingSafeEqual } from 'node:crypto'

// headers: of the request; body: its bytes, before any JSON parser; secret: whsec_...
export function isGenuine(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

const CHECK_IN_PYTHON = `import base64, hashlib, hmac, time

# headers: of the request, with lower-case names; body: its bytes, before any JSON parser; secret: whsec_...
def is_genuine(headers, body, secret):
    at = headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers.get("webhook-id", "")}.{at}.'.encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)`

/** Page about callbacks; the signature follows Standard Webhooks. */
export const CALLBACKS_PAGE: DocsPage = {
  name: 'callbacks',
  title: 'Callbacks',
  summary: 'What your server gets when a video task ends, and how to check its signature.',
  contents: [],
  blocks: [
    {
      kind: 'paragraph',
      text: 'A task with a `callback_url` sends its end there as one POST: the body is what [Get](/docs/video#getTask) answers. Any 2xx within 10 seconds means that you have it; 5xx and silence are tried again twice, after 1 and 3 seconds.',
    },
    { kind: 'code', language: 'http', text: MESSAGE },
    { kind: 'heading', level: 2, text: 'Check the signature', id: 'signature' },
    {
      kind: 'paragraph',
      text: 'Your operator gives you the secret of your organization, `whsec_...`. The signature is the HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the body, joined with dots, in base64. There may be several, divided by spaces: one of them must fit. Refuse a time that is more than 5 minutes away, and compare in constant time. Libraries for Standard Webhooks do the same.',
    },
    { kind: 'code', language: 'js', text: CHECK },
    { kind: 'code', language: 'python', text: CHECK_IN_PYTHON },
  ],
}
