import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { clientOf, textBody, textBodyB } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

const ABOUT_ONE_TASK = OPERATIONS.filter(({ path }) => /:(?:task|video|native)_id/.test(path))

/** The path of an operation for a task, with the id as its format spells it. */
function pathTo(path: string, taskId: string): string {
  return path
    .replace(':task_id', taskId)
    .replace(':video_id', taskId.replace('task_', 'video_'))
    .replace(':native_id', taskId.replace('task_', 'cgt-'))
}

describe("another key's task", () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test('there are routes to try', () => expect(ABOUT_ONE_TASK.length).toBeGreaterThanOrEqual(8))

  test.each(ABOUT_ONE_TASK)(
    'is answered like an unknown one: $method $path',
    async ({ method, path, body: takesBody }) => {
      const owner = clientOf(api, api.tenant)
      const strangers = [await api.openKey(api.tenant), await api.openTenant()]
      for (const body of [textBody(), textBodyB(), textBody('[instant]')]) {
        const id = await owner.make(body)
        await owner.get(id)
        const before = await owner.list()
        for (const stranger of strangers) {
          const { call } = clientOf(api, stranger)
          const sent = takesBody && { body: { prompt: 'The same at dawn' } }
          const foreign = await call(method, pathTo(path, id), sent)
          const unknown = await call(method, pathTo(path, `task_${'0'.repeat(32)}`), sent)
          expect(foreign.status).toBe(404)
          expect({ ...foreign, headers: {} }).toEqual({ ...unknown, headers: {} })
          expect(namesOf(foreign.headers)).toEqual(namesOf(unknown.headers))
        }
        expect((await owner.list()).body.data).toEqual(before.body.data)
      }
    },
  )

  test('is in no list of another key or organization', async () => {
    await clientOf(api, api.tenant).make(textBody())
    for (const stranger of [await api.openKey(api.tenant), await api.openTenant()]) {
      const { list, call } = clientOf(api, stranger)
      expect(await list()).toMatchObject({ body: { data: [] } })
      expect(await call('GET', '/v1/videos')).toMatchObject({ body: { data: [] } })
      const native = await call('GET', '/api/v3/contents/generations/tasks')
      expect(native.body).toEqual({ total: 0, items: [] })
    }
  })
})

function namesOf(headers: Headers): string[] {
  return [...headers.keys()].sort()
}
