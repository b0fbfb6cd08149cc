import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { encryptUrl, urlOf } from '../../../src/app/assets/asset-url.ts'
import { appendReceipt } from '../../../src/app/receipts/append-receipt.ts'
import { rotateReceiptKey } from '../../../src/app/receipts/signing-keys.ts'
import { encryptKept, keptBoundTo } from '../../../src/app/verification/encrypted-verification.ts'
import {
  callbackUrlOf,
  encryptCallbackUrl,
  encryptContent,
  encryptTicket,
  ticketOf,
  viewOf,
} from '../../../src/app/video/encrypted.ts'
import type { Keyring } from '../../../src/ports/secrets.ts'
import type { Store } from '../../../src/ports/store.ts'
import { sampleAsset, sampleAssetMove, sampleGroup, sampleVerification } from '../store/sample-asset.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from '../store/sample-rows.ts'
import { begin, sampleMove } from '../store/sample-task.ts'
import { describeSecretScenarios, NEW, OLD, type SecretReplica } from './open-secret-scenario.ts'

const CONTENT = { video_url: 'https://cdn.example/clip.mp4' }
/** Plain text of values that a task, an asset and verifications keep encrypted. */
const PLAIN = {
  callbackUrl: 'https://client.example/done',
  ticket: 'cgt-1',
  content: CONTENT,
  assetUrl: 'https://cdn.example/face.jpg',
  token: 'vendor-token',
  verificationCallback: 'https://client.example/checked',
  redirect: 'https://client.example/checked?group_id=grp_1',
}
const VALUES = Object.keys(PLAIN).length
/** An ended verification has no token, so one is open and one has ended; both have the callback. */
const ROWS_VALUES = VALUES + 1

async function writeRows(store: Store, secrets: Keyring): Promise<void> {
  await store.organizations.create(
    sampleOrganization({ billing: 'postpaid', encryptedWebhookSecret: secrets.encrypt('w', 'other') }),
    sampleAudit(),
  )
  const id = 'task_1'
  await begin(store, { id, encryptedCallbackUrl: encryptCallbackUrl(PLAIN.callbackUrl, id, secrets) })
  await store.tasks.accept({
    move: sampleMove('succeeded', { encryptedContent: encryptContent(CONTENT, id, secrets) }),
    ...{ encryptedTicket: encryptTicket(PLAIN.ticket, id, secrets), nextPollAtMs: MORNING_MS },
  })
  await store.assets.setDefaultGroup(sampleGroup())
  await store.assets.create(sampleAsset(), undefined)
  await store.assets.move(
    sampleAssetMove('active', { encryptedUrl: encryptUrl(PLAIN.assetUrl, 'ast_1', secrets) }),
  )
  for (const ver of ['ver_1', 'ver_2'])
    await store.verifications.create(
      sampleVerification({
        ...{ id: ver, stateDigest: `state of ${ver}` },
        encryptedToken: encryptKept('token', PLAIN.token, ver, secrets),
        encryptedCallbackUrl: encryptKept('callback', PLAIN.verificationCallback, ver, secrets),
      }),
    )
  const encryptedRedirect = encryptKept('redirect', PLAIN.redirect, 'ver_2', secrets)
  await store.verifications.finish({ id: 'ver_2', encryptedRedirect, atMs: MORNING_MS })
}

/** Reads rows with one secret; undefined: the secret does not decrypt the value. */
async function readRows(store: Store, secret: string) {
  const secrets = createSecrets(secret)
  const task = await store.tasks.find({ id: 'task_1', keyId: 'key_1' })
  const asset = await store.assets.find({ id: 'ast_1', organizationId: 'org_1' })
  const [open, ended] = await Promise.all(
    ['ver_1', 'ver_2'].map((id) => store.verifications.find(`state of ${id}`)),
  )
  if (task === undefined || asset === undefined) throw new Error('the rows are gone')
  const { encryptedToken, encryptedCallbackUrl } = open ?? {}
  const kept = (kind: 'token' | 'callback' | 'redirect', of: string, encrypted: string | null | undefined) =>
    secrets.decrypt(encrypted ?? '', keptBoundTo(kind, of))
  return {
    callbackUrl: callbackUrlOf(task, secrets),
    ticket: ticketOf(task, secrets),
    content: viewOf(task, secrets).content ?? undefined,
    assetUrl: urlOf(asset, secrets),
    token: kept('token', 'ver_1', encryptedToken),
    verificationCallback: kept('callback', 'ver_1', encryptedCallbackUrl),
    redirect: kept('redirect', 'ver_2', ended?.encryptedRedirect),
  }
}

const NOTHING = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, undefined]))

describeSecretScenarios('rows in a change of the secret', ({ lent, scenario }) => {
  test('receipts are signed with the same key after the rotation, with the new secret alone', async () => {
    const old = await scenario().start(OLD)
    const sign = async ({ tools }: SecretReplica, id: string) => {
      const entry = { id, organizationId: 'org_1', keyId: null, requestId: null }
      const { jws } = await appendReceipt(tools)(entry, ({ number }) => JSON.stringify({ number }))
      return JSON.parse(Buffer.from(JSON.parse(jws).protected, 'base64url').toString())
    }
    const before = await sign(old, 'task_1')
    const both = await scenario().start(NEW, OLD)
    expect(await sign(both, 'task_2')).toEqual(before)
    expect(await both.rotate()).toMatchObject({ ended: true, unreadable: 0 })
    const alone = await scenario().start(NEW)
    expect(await sign(alone, 'task_3')).toEqual(before)
    const { kid } = await rotateReceiptKey({ ...alone.tools, actor: 'cli' })()
    expect(await sign(alone, 'task_4')).toEqual({ ...before, kid })
    expect(kid).not.toBe(before.kid)
  })

  test('tasks, assets and verifications are read with the new secret alone after the rotation, and not before', async () => {
    const { store } = lent()
    const old = await scenario().start(OLD)
    await writeRows(store, old.secrets)
    expect(await readRows(store, OLD)).toEqual(PLAIN)
    const both = await scenario().start(NEW, OLD)
    expect(await readRows(store, NEW)).toEqual(NOTHING)

    const { needs, ...done } = await both.rotate()
    // One value cannot be decrypted: the callback secret, which the test has bound to another name.
    expect(done).toMatchObject({ switched: true, encryptedAgain: ROWS_VALUES, unreadable: 1 })
    expect(needs.map(({ of }) => of)).toEqual(['organizations', 'open_verifications'])
    expect(await readRows(store, NEW)).toEqual(PLAIN)
    expect(await readRows(store, OLD)).toEqual(NOTHING)
    expect(await both.rotate()).toMatchObject({ switched: false, encryptedAgain: 0 })
  })

  test('a value that a replica replaced meanwhile is not overwritten', async () => {
    const { store } = lent()
    const old = await scenario().start(OLD)
    await writeRows(store, old.secrets)
    const both = await scenario().start(NEW, OLD)
    const late = encryptUrl('https://cdn.example/later.jpg', 'ast_1', old.secrets)
    const replaced: number[] = []
    // The replica has not heard of the switch yet; the second pass of the rotation finds what it wrote.
    const replaceEncrypted: typeof store.secretChange.replaceEncrypted = async (batch) => {
      const isFirst = batch.table === 'assets' && replaced.length === 0
      if (isFirst)
        await store.assets.move(sampleAssetMove('active', { encryptedUrl: late, atMs: MORNING_MS + 2_000 }))
      const changed = await store.secretChange.replaceEncrypted(batch)
      if (batch.table === 'assets') replaced.push(changed)
      return changed
    }
    await both.rotate({ replaceEncrypted })
    expect(replaced).toEqual([0, 1])
    expect(await readRows(store, NEW)).toEqual({ ...PLAIN, assetUrl: 'https://cdn.example/later.jpg' })
  })
})
