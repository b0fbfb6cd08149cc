import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_KEY } from '../../api/admin/start-admin-api.ts'
import { type Stand, startStand } from '../../api/service/console/openid-stand.ts'
import { completion, textClientOf } from '../../api/text/call-text.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openSignedIn, openVisit, seriousFaults } from './open-console.ts'

let browser: Browser
let receiver: CallbackReceiver
let stand: Stand
let endedTaskId: string

beforeAll(async () => {
  browser = await launchChromium()
  receiver = await openCallbackReceiver()
  // Real time: a slow task waits at its vendor for minutes, and an instant task ends immediately.
  stand = await startStand({ OUTBOUND_ALLOW: '127.0.0.1/32' }, { sandboxSpeed: 1 })
  // Model of the family whose callbacks need no notices of the vendor.
  const model = 'vendorB/gen-v4-std'
  endedTaskId = await makeTask('[instant]', { model, callback_url: receiver.urlOf('/ended') })
}, LAUNCH_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await stand?.close()
  await receiver?.close()
})

const dialogOf = (page: Page) => page.getByRole('dialog')

const openPage = (path: string) => openSignedIn(browser, { url: stand.api.url, path, key: ADMIN_KEY })

async function makeTask(words: string, more: object = {}): Promise<string> {
  const answer = await fetch(`${stand.api.url}/v1/video/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stand.api.tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'vendorA/gen-2.0',
      content: [{ type: 'text', text: `a boat ${words}` }],
      ...more,
    }),
  })
  const { id } = (await answer.json()) as { id: string }
  return id
}

test('a person signs in at an OpenID provider, and the header shows the name', async () => {
  stand.person = { sub: 'ann', email: 'ann@staff.example', email_verified: true, groups: ['admins'] }
  const { page, complaints } = await openVisit(browser, stand.api.url)
  await page.goto(`${stand.api.url}/console/`)
  await page.getByRole('link', { name: 'Sign in with your organization' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('openid:ann@staff.example').waitFor()
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('button', { name: 'New customer' }).first().waitFor()
  expect(complaints).toEqual([])
})

test('a queued task is cancelled, and its money is released', async () => {
  const id = await makeTask('[slow]')
  const { page, complaints, foreign } = await openPage(`/video/${id}`)
  await page.getByRole('button', { name: 'Cancel task' }).click()
  expect(await seriousFaults(page)).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Cancel task' }).click()
  await page.getByText('Task ended: Cancelled').first().waitFor()
  // The dialog and the task's own button disappear when the task is read again, a moment after its last event.
  await expect.poll(() => page.getByRole('button', { name: 'Cancel task' }).count()).toBe(0)
  const { body } = await stand.api.ask(`GET /tasks/${id}`)
  expect(body).toMatchObject({ status: 'cancelled', held_micros: 0, charged_micros: 0 })
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('the callback of an ended task is resent, from its page and from the list', async () => {
  const id = endedTaskId
  const sent = () => receiver.received.filter(({ path }) => path === '/ended').length
  await expect.poll(sent).toBe(1)
  const { page, complaints } = await openPage(`/video/${id}`)
  await page.getByRole('button', { name: 'Resend callback' }).click()
  await dialogOf(page).getByRole('button', { name: 'Resend callback' }).click()
  await expect.poll(sent).toBe(2)
  await page.goto(`${stand.api.url}/console/callbacks?task_id=${id}`)
  await page.getByRole('cell', { name: '204' }).first().waitFor()
  await page
    .getByRole('cell', { name: new URL(receiver.urlOf('/')).host })
    .first()
    .waitFor()
  await page.getByRole('status').getByText('Replies are made up').waitFor()
  await page.getByRole('button', { name: 'Resend', exact: true }).first().click()
  await page.getByText(`The callback of ${id} is due again.`).waitFor()
  await expect.poll(sent).toBe(3)
  expect(complaints).toEqual([])
})

test('callbacks are resent once each, also when a refusal interrupts them', async () => {
  const { page } = await openPage('/')
  let ids = ['task_1', 'task_2', 'task_3']
  const row = { attempt: 1, organization_id: null, host: 'x', status: 500, error: null, at: null }
  await page.route(/v1\/callbacks\?/, (route) =>
    route.fulfill({ json: { data: ids.map((task_id) => ({ ...row, task_id })), next_cursor: '' } }),
  )
  const asked: string[] = []
  await page.route('**/callbacks/*/resend', (route) => {
    const id = /task_\d/.exec(route.request().url())?.[0] ?? ''
    asked.push(id)
    if (asked.length === 2) return route.fulfill({ status: 409, json: { error: { message: 'Not now' } } })
    ids = ids.filter((one) => one !== id)
    return route.fulfill({ json: { task_id: id } })
  })
  await page.goto(`${stand.api.url}/console/callbacks?state=given-up`)
  await page.getByRole('button', { name: 'Resend all' }).click()
  const button = dialogOf(page).getByRole('button', { name: 'Resend all' })
  await button.click()
  await dialogOf(page).getByText('Not now').waitFor()
  await dialogOf(page).getByText('1 of 3 resent').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
  await dialogOf(page).getByText('1 of 3 resent').waitFor()
  await button.click()
  await expect.poll(() => dialogOf(page).count()).toBe(0)
  expect(asked).toEqual(['task_1', 'task_2', 'task_2', 'task_3'])
})

test('a test callback is sent, and its answer is shown', async () => {
  const { page, complaints } = await openPage('/callbacks')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await dialogOf(page).getByRole('combobox', { name: 'Customer' }).fill(stand.api.tenant.organizationId)
  await dialogOf(page).getByRole('option').first().click()
  await dialogOf(page).getByLabel('Address (HTTPS)').fill(receiver.urlOf('/tried'))
  await dialogOf(page).getByRole('button', { name: 'Send a test' }).click()
  await dialogOf(page).getByRole('status').getByText('204').waitFor()
  expect(receiver.received.filter(({ path }) => path === '/tried')).toHaveLength(1)
  await dialogOf(page).getByLabel('Address (HTTPS)').fill('https://10.0.0.1/')
  await dialogOf(page).getByRole('button', { name: 'Send a test' }).click()
  await dialogOf(page).getByRole('status').getByText('forbidden').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a person is erased once its id is typed, and the receipt is shown', async () => {
  const { organizationId } = stand.api.tenant
  const group = { organizationId, kind: 'person', provider: 'vendorA', createdAtMs: Date.now() } as const
  await stand.api.store.assets.bindPerson({ ...group, id: 'group_ann', ticket: 'ticket-ann' }, undefined)
  const { page, complaints } = await openPage('/people/group_ann')
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const button = dialogOf(page).getByRole('button', { name: 'Erase', exact: true })
  expect(await button.isDisabled()).toBe(true)
  await dialogOf(page).getByLabel('Type group_ann to confirm').fill('group_ann')
  await button.click()
  await page.getByRole('heading', { name: 'Receipt of the erasure' }).waitFor()
  await page.getByText('ticket-ann').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  expect(await stand.api.ask('GET /groups/group_ann')).toMatchObject({ status: 404 })
})

test('an open breaker is shown with its customer and its reason, and doctor names a remedy', async () => {
  // A model that no other test asks for: its calls are refused for a while.
  const model = 'vendorC/model-o3'
  await stand.api.vendor.breakDown({ part: 'text', times: 5, fault: { kind: 'status', status: 500 } })
  for (let call = 0; call < 5; call++)
    expect(
      await textClientOf(stand.api, stand.api.tenant).chat(completion('hello', { model })),
    ).toMatchObject({ status: 503 })
  const { page, complaints } = await openPage('/system?view=providers')
  const open = page.getByRole('region', { name: 'Breakers' }).getByRole('row').nth(1)
  await open.getByText(/ create model-o3$/).waitFor()
  await open.getByText('Open', { exact: true }).waitFor()
  await open.getByRole('link', { name: /^org_/ }).waitFor()
  await open.getByText('5xx').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.goto(`${stand.api.url}/console/system?view=doctor`)
  await page.getByRole('button', { name: 'Run doctor' }).click()
  await page.getByText('Test it with the button beside vendorC under Providers').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a customer among 120 is found by the beginning of its name, and the filter stays in the address', async () => {
  for (let number = 0; number < 120; number++)
    await stand.api.ask('POST /organizations', { body: { name: `Wharf ${number}.`, billing: 'prepaid' } })
  const { page, complaints } = await openPage('/video')
  const filter = page.getByRole('combobox', { name: 'Customer' })
  await filter.fill('wharf 7.')
  await page.getByRole('option', { name: 'Wharf 7.' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await filter.press('Enter')
  await page.waitForURL(/organization_id=org_/)
  await page.reload()
  await expect.poll(() => filter.inputValue()).toBe('Wharf 7.')
  expect(complaints).toEqual([])
})

test('a chat request is sent, and its charge links to its entry and back to the request', async () => {
  const { page, complaints } = await openPage(
    `/playground?organization_id=${stand.api.tenant.organizationId}`,
  )
  await page.getByLabel('Format').selectOption('chat')
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('[count 5]')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: /^Answer/ })
  await answer.getByText('1 2 3 4 5').waitFor()
  await answer.getByText(/Cost \$0\.\d+/).waitFor()
  // The next request contains the first turn, and a second model answers beside the first one.
  await page.getByLabel('Compare with').selectOption('vendorC/model-4.1-mini')
  await page.getByLabel('Temperature').fill('0.2')
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('[count 3]')
  await page.getByRole('button', { name: 'Send' }).click()
  const beside = page.getByRole('region', { name: 'Answer: vendorC/model-4.1-mini' })
  await beside.getByText('1 2 3', { exact: true }).waitFor()
  const request = page.getByRole('region', { name: 'Request' })
  await request.getByText('"content": "1 2 3 4 5"').waitFor()
  await request.getByText('"temperature": 0.2').waitFor()
  await page.getByRole('button', { name: 'TypeScript' }).click()
  await page.getByText("import OpenAI from 'openai'").waitFor()
  expect(await seriousFaults(page)).toEqual([])
  // A new conversation ends the running request, and shows nothing of it.
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('[count 50] [pace 100]')
  await page.getByRole('button', { name: 'Send' }).click()
  await answer.first().getByText('1 2 3 4 5 6').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await expect
    .poll(() => answer.first().locator('.answer').textContent())
    .toBe('The answer appears here as it streams.')
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('[count 4]')
  await page.getByRole('button', { name: 'Send' }).click()
  await answer.first().getByText('1 2 3 4', { exact: true }).waitFor()
  const { organizationId } = stand.api.tenant
  await expect
    .poll(async () => {
      const { body } = await stand.api.ask(`GET /ledger?kind=usage&organization_id=${organizationId}`)
      return (body.data as object[]).length
    })
    .toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Trace the charge' }).first().click()
  await page.getByText('output_token').first().waitFor()
  await page.getByTitle(/^ent_/).click()
  await page.waitForURL(/view=entry&id=ent_/)
  await page.getByTitle(/^req_/).first().click()
  await page.waitForURL(/requests\?id=req_/)
  expect(complaints).toEqual([])
})

test('the settlement of a task links to its hold and its task', async () => {
  const id = endedTaskId
  const statusOf = async () => (await stand.api.ask(`GET /tasks/${id}`)).body.status
  await expect.poll(statusOf).toBe('succeeded')
  const { page, complaints } = await openPage(`/money?task_id=${id}`)
  await page.getByTitle(/^ent_/).click()
  await page.getByTitle(/^hold_/).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'All entries of this work' }).click()
  await page.waitForURL(/hold_id=hold_/)
  await page.getByTitle(id).click()
  await page.waitForURL(`**/console/video/${id}`)
  expect(complaints).toEqual([])
})

test('an erased customer keeps a marked row, which links to its page', async () => {
  const { body } = await stand.api.ask('POST /organizations', {
    body: { name: 'Gone and forgotten', billing: 'prepaid' },
  })
  const id = String(body.id)
  expect(await stand.api.ask(`DELETE /organizations/${id}`)).toMatchObject({ status: 200 })
  const { page, complaints } = await openPage(`/customers?search=${id}`)
  await page.getByRole('row').filter({ hasText: 'Erased' }).getByRole('link').click()
  await page.waitForURL(new RegExp(`/console/customers/${id}`))
  await page.getByRole('heading', { name: /^org_/ }).waitFor()
  await page.getByRole('heading', { name: 'This customer was erased' }).waitFor()
  await page.locator('.facts').getByText('Erased').waitFor()
  await page.getByText('No keys yet').waitFor()
  for (const name of ['Top up', 'Change', 'Budget', 'Enable', 'New user', 'New key'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a missing object is explained without a command', async () => {
  const { page } = await openPage('/customers/org_none')
  const alert = page.getByRole('alert')
  await alert.getByText('There is no organization org_none. It may have been removed').waitFor()
  expect(await alert.textContent()).not.toContain('sluice')
})

test.each([
  [{ warning: true }, 'No check failed. Warnings: 1.'],
  [{}, 'All is well.'],
])('a doctor whose last check says %j', async (more, summary) => {
  const { page } = await openPage('/system?view=doctor')
  const checks = [
    { name: 'store', ok: true, detail: 'reachable' },
    { name: 'clock', ok: true, detail: 'x', ...more },
  ]
  // Warnings of a gateway depend on its machine.
  await page.route('**/admin/v1/doctor', (route) => route.fulfill({ json: { ok: true, checks } }))
  await page.getByRole('button', { name: 'Run doctor' }).click()
  await page.getByRole('status').getByText(summary, { exact: true }).waitFor()
})
