import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { digestNoticeToken } from '../../../src/app/video/notice-token.ts'
import { clientOf, textBody, textBodyB } from './call-api.ts'
import { startVideoApi } from './start-video-api.ts'

const SECRETS = createSecrets('a secret of the tests, long enough')

/** An address for notices, and the paths that were asked for there. */
async function openAddress(): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  return { url: `http://127.0.0.1:${address.port}`, paths }
}

test('family A gets our address with a token that only this task knows', async () => {
  const address = await openAddress()
  const api = await startVideoApi({ noticeBaseUrl: address.url })
  onTestFinished(() => api.close())
  const { make } = clientOf(api, api.tenant)
  const body = textBody('[instant]', { callback_url: 'https://client.example/a' })
  const ids = [await make(body), await make(body)]
  await expect.poll(() => new Set(address.paths).size).toBe(2)
  const found = []
  for (const path of new Set(address.paths)) {
    const [, token = ''] = /^\/v1\/video\/result\?token=([\w-]{64})$/.exec(path) ?? []
    const task = await api.store.tasks.findByNotice(digestNoticeToken(token, SECRETS))
    expect(task).toMatchObject({ owesCallback: true })
    found.push(task?.id)
  }
  expect(found.sort()).toEqual(ids.sort())
})

test('without an address of ours no token is made, and family A owes no callback', async () => {
  const api = await startVideoApi()
  onTestFinished(() => api.close())
  const { make } = clientOf(api, api.tenant)
  const callback = { callback_url: 'https://client.example/a' }
  const owes = async (body: object) => (await api.store.tasks.findForOperator(await make(body)))?.owesCallback
  expect(await owes(textBody('', callback))).toBe(false)
  expect(await owes(textBodyB('', callback))).toBe(true)
  expect(await owes(textBodyB())).toBe(false)
})
