import { expect, test } from 'vitest'
import { storedTask } from '../../../test/api/video/stored-task.ts'
import { CALLER as caller } from '../../../test/caller.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import type { ContentLinks } from '../media/own-links.ts'
import { encryptContent } from './encrypted.ts'
import { getTask } from './get-task.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const contentOf = (host: string, members: readonly string[]) =>
  Object.fromEntries(members.map((member) => [member, `https://${host}.example/${member}`]))

/** Reads a succeeded task with these links of its vendor, of which the gateway keeps some. */
async function read({ vendor, kept }: { vendor: readonly string[]; kept: readonly string[] }) {
  const withLinks = (host: string) =>
    storedTask({
      status: 'succeeded',
      encryptedContent: encryptContent(contentOf(host, vendor), 'task_1', secrets),
    })
  let asked = 0
  const get = getTask({
    tasks: { find: async () => withLinks('old') },
    sync: async () => {
      asked += 1
      return withLinks('new')
    },
    links: async () => new Map(kept.length === 0 ? [] : [['task_1', contentOf('own', kept) as ContentLinks]]),
    secrets,
  })
  const { content } = await get({ id: 'task_1', caller })
  return { asked, content }
}

const VIDEO = ['video_url']
const BOTH = ['video_url', 'last_frame_url']

test.each([
  ['video', { vendor: VIDEO, kept: VIDEO }],
  ['video and picture', { vendor: BOTH, kept: BOTH }],
])('the vendor is not asked about a task whose %s are all kept', async (_, links) => {
  expect(await read(links)).toEqual({ asked: 0, content: contentOf('own', links.vendor) })
})

test('a task whose last picture was not kept gets a fresh link to it', async () => {
  expect(await read({ vendor: BOTH, kept: VIDEO })).toEqual({
    asked: 1,
    content: { ...contentOf('new', BOTH), ...contentOf('own', VIDEO) },
  })
})

test('a task without kept files gets fresh links to all of them', async () => {
  expect(await read({ vendor: BOTH, kept: [] })).toEqual({ asked: 1, content: contentOf('new', BOTH) })
})
