import { expect, test } from 'vitest'
import { OPERATIONS } from '../../routes.ts'
import { docsOperations } from './operation.ts'

test('a request writes its own page alone, once', () => {
  let described = 0
  const counted = OPERATIONS.map((operation) => {
    const { replies, ...rest } = operation
    return {
      ...rest,
      get replies() {
        described += 1
        return replies
      },
    }
  })
  const [index, page] = docsOperations(() => counted)
  const show = (shown: typeof page, name: string) => {
    described = 0
    const sent: unknown[] = []
    const reply = { headers: () => reply, send: (body: unknown) => void sent.push(body) }
    shown?.handle({} as never)({ params: { page: name } } as never, reply as never)
    return { text: String(sent[0]), described }
  }
  const start = show(index, '')
  expect(start.text).toContain('Sluice API reference')
  // The index page shows the example of one operation.
  expect(start.described).toBeLessThan(3)
  const first = show(page, 'account.md')
  expect(first.text).toContain('# ')
  expect(first.described).toBeGreaterThan(0)
  expect(first.described).toBeLessThan(30)
  expect(show(page, 'account.md')).toEqual({ text: first.text, described: 0 })
  expect(() => show(page, 'none')).toThrow(expect.objectContaining({ code: 'not_found' }))
})
