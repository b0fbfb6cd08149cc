import { setTimeout as delay } from 'node:timers/promises'

export interface Demo {
  url: string
  adminKey: string
  /** The key of the demo organization that the first start printed. */
  demoKey: string
  /** Takes callbacks, and refuses those whose path ends with `/broken`. */
  receiverUrl: string
}

/** Ids for the pictures that show one thing. */
export interface DemoIds {
  taskId: string
  organizationId: string
  groupId: string
}

/** Prompts; a word in brackets decides what becomes of the video in the sandbox. */
const PROMPTS = [
  'A barge passes a lock at dawn',
  'A heron waits at the weir, then flies off over the reeds',
  'Rain on a slate roof, seen from above',
  'A crowd leaves the stadium [fail]',
  'Two boats race under a bridge at night',
  'A street parade [moderate-late]',
  'The tide comes in over the mud flats',
  'A lighthouse keeper climbs the stairs [stuck]',
  'A paper boat in a gutter',
  'Snow falls on the canal [slow]',
] as const

/** Adds to `sluice demo` what needs a running gateway: people, assets, callbacks, and tasks that are open. */
export async function addToDemo(demo: Demo): Promise<DemoIds> {
  await verifyPersons(demo)
  await Promise.all([0, 8, 9, 4, 2].map((at) => askVideo(demo, at)))
  const taskId = await waitForDelivery(demo)
  const { data } = await admin(demo, '/groups?kind=person')
  const groupId = data[0].id
  await showPerson(demo, groupId)
  const customers = (await admin(demo, '/organizations?search=Kestrel')).data
  return { taskId, organizationId: customers[0].id, groupId }
}

/** Three videos with a portrait of the person. */
async function showPerson(demo: Demo, groupId: string): Promise<void> {
  const portraits = async () =>
    (await admin(demo, `/assets?group_id=${groupId}&status=active`)).data as { id: string }[]
  for (let attempt = 0; attempt < 100 && (await portraits()).length === 0; attempt++) await delay(200)
  const [portrait] = await portraits()
  const image_url = { url: `asset://${portrait?.id}` }
  for (const text of [
    'She opens the sluice gate',
    'She waves from the bridge',
    'She reads the water level',
  ]) {
    const content = [
      { type: 'text', text },
      { type: 'image_url', image_url, role: 'reference_image' },
    ]
    await client(demo, demo.demoKey, '/video/generations', { model: 'vendorA/gen-2.0', content })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: read by the caller, which knows the route.
async function ask(url: string, headers: object, body?: object): Promise<any> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

function admin(demo: Demo, path: string, body?: object) {
  return ask(`${demo.url}/admin/v1${path}`, { 'x-admin-key': demo.adminKey }, body)
}

function client(demo: Demo, key: string, path: string, body?: object) {
  return ask(
    `${demo.url}/v1${path}`,
    { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
    body,
  )
}

async function askVideo(demo: Demo, at: number): Promise<void> {
  const model = at % 3 === 2 ? 'vendorB/gen-v4-std' : 'vendorA/gen-2.0'
  const text = PROMPTS[at % PROMPTS.length] ?? PROMPTS[0]
  const callback_url = `${demo.receiverUrl}${at % 5 === 1 ? '/broken' : '/done'}`
  const content = [{ type: 'text', text }]
  await client(demo, demo.demoKey, '/video/generations', {
    ...{ model, content, callback_url },
  })
}

/** Two people who passed the face check, one who did not, and one whose link was not opened. */
async function verifyPersons(demo: Demo): Promise<void> {
  for (const query of [
    'ending=success&person=1',
    'ending=success&person=2',
    'ending=mismatch&person=3',
    '',
  ]) {
    const { h5_link } = await client(demo, demo.demoKey, '/video/assets/sessions', {
      ...{ callback_url: 'https://example.com/verified', lang: 'en' },
    })
    if (query === '') continue
    const back = await locationOf(`${h5_link}&${query}`)
    const done = await locationOf(back)
    const group_id = new URL(done).searchParams.get('group_id')
    if (group_id === null) continue
    for (const file of ['portrait.png', 'portrait-side.png', 'otherface.png']) {
      await client(demo, demo.demoKey, '/video/assets', {
        ...{ url: `https://example.com/${file}`, asset_type: 'Image', group_id },
      })
    }
  }
  for (const file of ['weir.png', 'lock.png', 'badformat.png', 'stuck.png']) {
    const asset = { url: `https://example.com/${file}`, asset_type: 'Image' }
    await client(demo, demo.demoKey, '/video/assets', asset)
  }
}

async function locationOf(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

async function waitForDelivery(demo: Demo): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { data } = await admin(demo, '/tasks?status=succeeded&limit=20')
    const found = data.find(({ callback }: { callback: string }) => callback === 'delivered')
    if (found !== undefined) return found.id
    await delay(500)
  }
  throw new Error('no task was delivered')
}
