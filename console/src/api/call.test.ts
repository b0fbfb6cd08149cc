import { afterEach, expect, test, vi } from 'vitest'
import { callAll } from './call.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers with pages of one row, and returns the addresses that were asked. */
function servePages(pages: number): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const page = asked.push(url)
    return Response.json({ data: [{ amount_micros: page }], next_cursor: page < pages ? `c${page}` : '' })
  })
  return asked
}

test('a list is read to its end, with the cursor of each page', async () => {
  const asked = servePages(3)
  const { rows, isWhole } = await callAll('GET /ledger', { kind: 'refund' })
  expect([rows.map(({ amount_micros }) => amount_micros), isWhole]).toEqual([[1, 2, 3], true])
  expect(asked).toEqual(
    ['', '&cursor=c1', '&cursor=c2'].map((cursor) => `/admin/v1/ledger?limit=100&kind=refund${cursor}`),
  )
})

test('a list that is longer than the limit of pages is not whole', async () => {
  servePages(3)
  expect(await callAll('GET /ledger', {}, { pagesMax: 2 })).toMatchObject({
    rows: [{ amount_micros: 1 }, { amount_micros: 2 }],
    isWhole: false,
  })
  servePages(3)
  expect(await callAll('GET /ledger', {}, { pagesMax: 3 })).toMatchObject({ isWhole: true })
})

test('a page that fails fails the whole list', async () => {
  let page = 0
  vi.stubGlobal('fetch', async () =>
    ++page === 1
      ? Response.json({ data: [{}], next_cursor: 'c1' })
      : Response.json({ error: { message: 'Not now' } }, { status: 409 }),
  )
  await expect(callAll('GET /ledger', {})).rejects.toMatchObject({ status: 409, message: 'Not now' })
})
