// Receives callbacks over HTTPS on this machine, checks who sent them, and prints them.
// Plain JavaScript without packages, for any Node from 20 on: take what you need of it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

const AGE_SECONDS_MAX = 5 * 60

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.RECEIVER_PORT ?? 8443)
if (!secret.startsWith('whsec_')) {
  console.error('Set WEBHOOK_SECRET to what "npx sluice org secret ORG_ID" prints.')
  process.exit(1)
}

const certificate = {
  key: readFileSync('callback-key.pem'),
  cert: readFileSync('callback-cert.pem'),
}
createServer(certificate, async (request, response) => {
  const body = await text(request)
  const isGenuine = isSigned(request.headers, body)
  // A 401 tells the gateway not to try again.
  response.writeHead(isGenuine ? 204 : 401).end()
  if (!isGenuine) return console.log('Refused a callback: its signature is not right.')
  const task = JSON.parse(body)
  console.log(
    `Callback ${request.headers['webhook-id']}: ${task.id} has ${task.status}. The signature is right.`,
    task,
  )
}).listen(port, '127.0.0.1', () => console.log(`Waiting for callbacks on https://127.0.0.1:${port}/`))

/** The signature is over the bytes as they came: check before you parse. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) < AGE_SECONDS_MAX
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  // For a day after a change of the secret there are two signatures.
  return isFresh && signatures.split(' ').some((signature) => isEqual(signature, expected))
}

function isEqual(signature, expected) {
  const [version, value = ''] = signature.split(',')
  const given = Buffer.from(value, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}
