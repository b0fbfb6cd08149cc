import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { createIds } from '../../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { type OperatorSessions, operatorSessions } from '../../../../src/app/access/operator-sessions.ts'
import { type LentStore, lendSqlite } from '../../../engines/store/lend-store.ts'
import { SILENT_LOG } from '../../../engines/store/silent-log.ts'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

let lent: LentStore
let edge: Edge
let sessions: OperatorSessions
beforeAll(async () => {
  lent = await lendSqlite()
  sessions = freshSessions()
  edge = await startEdge({ app: memoryApp({ sessions }) })
})
afterAll(async () => {
  await edge.close()
  await lent.giveBack()
})

const follow = (query: string, init: RequestInit = {}) =>
  fetch(`${edge.url}/console/sign-in${query}`, { redirect: 'manual', ...init })

describe('GET /console/sign-in', () => {
  test('303 to the console with a session, once, and the link is no part of the answer', async () => {
    const link = await sessions.makeLink()
    const first = await follow(`?token=${link}`)
    expect(first.status).toBe(303)
    expect(first.headers.get('location')).toBe('/console/')
    expect(first.headers.get('referrer-policy')).toBe('no-referrer')
    expect(first.headers.get('cache-control')).toBe('no-store')
    const [cookie = ''] = first.headers.get('set-cookie')?.split(';') ?? []
    const who = await fetch(`${edge.url}/admin/v1/session`, { headers: { cookie } })
    expect(await who.json()).toMatchObject({ actor: 'admin key', role: 'owner', method: 'link' })
    expect(JSON.stringify([...first.headers])).not.toContain(link)
    const second = await follow(`?token=${link}`)
    expect(second.headers.get('location')).toBe('/console/?sign_in=link_used')
    expect(second.headers.get('set-cookie')).toBeNull()
  })

  test('303 without a session for every other token', async () => {
    const link = await sessions.makeLink()
    for (const query of [
      '',
      '?token=',
      '?token=x',
      `?token=${link.slice(0, -1)}`,
      `?token=${link}&token=${link}`,
    ]) {
      const answer = await follow(query)
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe('/console/?sign_in=link_used')
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('HEAD 204 does not use a link up', async () => {
    const link = await sessions.makeLink()
    expect((await follow(`?token=${link}`, { method: 'HEAD' })).status).toBe(204)
    expect((await follow(`?token=${link}`)).headers.get('location')).toBe('/console/')
  })

  test('no line of the log has the link or the cookie', async () => {
    const link = await sessions.makeLink()
    const answer = await follow(`?token=${link}`)
    const cookie = /se-sluice-[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? 'none'
    const written = JSON.stringify([edge.lines, edge.requests, edge.finished])
    expect(written).not.toContain(link)
    expect(written).not.toContain(cookie)
  })

  test('429 after ten wrong links', async () => {
    const own = await startEdge({ app: memoryApp({ sessions: freshSessions() }) })
    const wrong = () => fetch(`${own.url}/console/sign-in?token=x`, { redirect: 'manual' })
    for (let attempt = 0; attempt < 10; attempt++) expect((await wrong()).status).toBe(303)
    expect((await wrong()).status).toBe(429)
    await own.close()
  })

  test('303 to a page that explains the missing ADMIN_API_KEY', async () => {
    const off = await startEdge({ admin: undefined })
    const answer = await fetch(`${off.url}/console/sign-in?token=x`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/console/')
    await off.close()
  })
})

function freshSessions(): OperatorSessions {
  return operatorSessions({
    ...{ operatorSessions: lent.store.operatorSessions, secrets: createSecrets('s'.repeat(32)) },
    ...{ clock: systemClock, newId: createIds(systemClock), log: SILENT_LOG },
    ...{ findOperator: async () => undefined, isAdminKey: () => false, reliesOn: 'the test' },
  })
}
