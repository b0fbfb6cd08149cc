import { expect, onTestFinished, test } from 'vitest'
import { ECHOES } from './echo-operations.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const CHUNKS = 4_000
const HEAD = 'POST /admin/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
const BODY = `"${'a'.repeat(CHUNKS - 2)}"`

const PLAIN = 'POST /admin/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'

test.each([
  ['first', ''],
  ['second', PLAIN],
])(
  "chunks of one byte in the %s request that Node's parser reads are spread over turns",
  async (_place, before) => {
    let turn = 0
    let immediate: NodeJS.Immediate | undefined
    const countTurns = () => {
      turn += 1
      immediate = setImmediate(countTurns)
    }
    onTestFinished(() => clearImmediate(immediate))
    const [echo] = ECHOES.filter(({ path }) => path === '/admin/echo')
    if (echo?.body === undefined) throw new Error('it takes a body')
    let turnOfHead = 0
    const isWanted = () => {
      turnOfHead = turn
      return true
    }
    const edge = await startEdge({
      fastDoor: true,
      operations: [{ ...echo, body: { ...echo.body, isWanted } }],
    })
    onTestFinished(() => edge.close())
    countTurns()
    const connection = openRaw(edge.port)
    if (before !== '') {
      connection.write(before)
      await connection.sees('"body":{}')
    }
    connection.write(`${HEAD}${[...BODY].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)
    const answers = await connection.answers()
    expect(answers.at(-1)).toMatchObject({ status: 200, body: `{"body":${BODY}}` })
    expect(turn - turnOfHead).toBeGreaterThan(10)
  },
)
