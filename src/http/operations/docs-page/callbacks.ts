import { type Html, html } from '../../pages/html.ts'

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

/** Section about callbacks; the signature follows Standard Webhooks. */
export function renderCallbacks(): Html {
  return html`
<section id="callbacks" class="topic">
  <h2>Callbacks and their signatures</h2>
  <p>A task with a <code>callback_url</code> sends its end there as one POST: the body is what
    <a href="#getTask">Get</a> answers. Any 2xx within 10 seconds means that you have it; 5xx and silence are tried again twice,
    after 1 and 3 seconds.</p>
  <pre tabindex="0"><code>${MESSAGE}</code></pre>
  <p>Your operator gives you the secret of your organization, <code>whsec_...</code>. The signature is the HMAC-SHA-256 of
    <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, joined with dots, in base64. There may be several, divided by
    spaces: one of them must fit. Refuse a time that is more than 5 minutes away, and compare in constant time. Libraries for
    Standard Webhooks do the same.</p>
  <pre tabindex="0"><code>${CHECK}</code></pre>
</section>`
}
