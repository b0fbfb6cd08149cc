import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPE_A = 1
const HEADER_BYTES = 12

/** A DNS server on 127.0.0.1 that knows what the test tells it. */
export interface DnsServer {
  /** Address for a resolver. */
  address: string
  /** Every name that was asked for, with its type, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

/** `answer`: the IPv4 addresses of a name, `none` for a name that does not exist, `hang` for no answer at all. */
export async function startDnsServer(
  answer: (name: string) => readonly string[] | 'none' | 'hang',
  { port = 0 }: { port?: number } = {},
): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, asker) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${type === TYPE_A ? 'A' : 'AAAA'} ${name}`)
    const said = answer(name)
    if (said === 'hang') return
    const addresses = said === 'none' || type !== TYPE_A ? [] : said
    const head = Buffer.from(query.subarray(0, HEADER_BYTES))
    head.writeUInt16BE(said === 'none' ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((each) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]),
    )
    socket.send(
      Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...records]),
      asker.port,
      asker.address,
    )
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  while (query[at] !== 0 && query[at] !== undefined) {
    const length = query[at] ?? 0
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
