import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { Pool } from 'undici'

/**
 * The minimum of a create call: read the body, one transaction with task and hold, one call to the vendor, one
 * transaction with its ticket, and the answer. No key, no rules, no limits. Its own CPU time is at `/cpu`.
 */
const { DATABASE = '', VENDOR = '', ORGANIZATION = '' } = process.env
const vendor = new Pool(new URL(VENDOR).origin, { connections: 256 })
const path = `${new URL(VENDOR).pathname}/contents/generations/tasks`

const database = new DatabaseSync(DATABASE, { timeout: 10_000 })
database.exec('pragma journal_mode = wal; pragma synchronous = full')
const insertTask = database.prepare(
  "insert into video_tasks (id, api_key_id, organization_id, user_id, model, provider, status, metadata, pricing, owes_callback, created_at_ms, expires_at_ms, next_poll_at_ms) values (?, 'key_bare', ?, 'usr_bare', 'vendorA/gen-2.0', 'vendorA', 'submitting', '{}', '{}', 0, 0, 1, 9007199254740991)",
)
const insertHold = database.prepare(
  "insert into holds (id, organization_id, kind, user_id, day, task_id, amount_micros, state, created_at_ms, expires_at_ms) values (?, ?, 'task', 'usr_bare', '2030-01-01', ?, 700, 'open', 0, 9007199254740991)",
)
const moveDay = database.prepare(
  "insert into user_days (user_id, day, used_micros, version) values ('usr_bare', '2030-01-01', 700, 1) on conflict (user_id, day) do update set used_micros = user_days.used_micros + excluded.used_micros, version = user_days.version + 1",
)
const admit = database.prepare(
  "update organizations set held_micros = held_micros + 700 where id = ? and (billing = 'postpaid' or balance_micros - held_micros >= 700)",
)
const accept = database.prepare(
  "update video_tasks set status = 'queued', sealed_ticket = ? where id = ? and status = 'submitting'",
)

let count = 0

const server = createServer(async (request, response) => {
  if (request.url === '/cpu') {
    const { user, system } = process.cpuUsage()
    response.end(JSON.stringify({ seconds: (user + system) / 1e6 }))
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const asked = JSON.parse(Buffer.concat(chunks).toString())
  const id = `bare_${process.pid}_${count++}`
  database.exec('begin immediate')
  insertTask.run(id, ORGANIZATION)
  insertHold.run(`${id}_hold`, ORGANIZATION, id)
  moveDay.run()
  admit.run(ORGANIZATION)
  database.exec('commit')
  const answer = await vendor.request({
    path,
    method: 'POST',
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gen-2.0', content: asked.content, execution_expires_after: 172_800 }),
  })
  const ticket = String(Object(await answer.body.json()).id)
  database.exec('begin immediate')
  accept.run(ticket, id)
  database.exec('commit')
  const body = JSON.stringify({
    id,
    object: 'video.generation.task',
    created: 0,
    model: asked.model,
    status: 'queued',
    metadata: {},
  })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
