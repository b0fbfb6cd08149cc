import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Answer } from './answer.ts'

/** Writes bytes on a fresh connection and gives back all answers up to its end. The server must end it. */
export async function sendRaw(port: number, ...pieces: (string | Buffer)[]): Promise<Answer[]> {
  const connection = openRaw(port)
  for (const piece of pieces) connection.write(piece)
  return connection.answers()
}

export interface RawConnection {
  socket: Socket
  write(bytes: string | Buffer): void
  /** Resolves once this text has arrived. */
  sees(text: string): Promise<void>
  answers(): Promise<Answer[]>
}

export function openRaw(port: number, host = '127.0.0.1'): RawConnection {
  const socket = connect(port, host)
  let received = ''
  let news = Promise.withResolvers<void>()
  const tell = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    received += text
    tell()
  })
  // An end by a reset is an end too, also where the test does not ask for the answers.
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')])
    .catch(() => {})
    .finally(tell)
  socket.on('error', () => {})
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async sees(text) {
      while (!received.includes(text)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`ended without "${text}": ${received}`)
        await news.promise
      }
    },
    async answers() {
      await ended
      socket.destroy()
      return parseAnswers(received)
    },
  }
}

/** Splits the text at the lengths that the answers announce. */
function parseAnswers(text: string): Answer[] {
  const answers: Answer[] = []
  let rest = text
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) throw new Error(`half an answer: ${rest}`)
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const status = Number(statusLine.split(' ')[1])
    const headers = Object.fromEntries(lines.map(readHeader))
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(headEnd + 4, bodyEnd), 'latin1').toString()
    answers.push({ status, headers, body })
    rest = rest.slice(bodyEnd)
  }
  return answers
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
