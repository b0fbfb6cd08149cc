import { createHash, createHmac } from 'node:crypto'
import { type Answer, callVendor, openVendors, START_MS, textAt, type Vendors } from './open-vendors.ts'

export interface AssetVendor {
  vendors: Vendors
  url: string
  call(action: string, body: unknown, signing?: Partial<Signing>): Promise<Answer>
  reopen(): Promise<AssetVendor>
}

export interface Signing {
  accessKey: string
  secretKey: string
  /** Error of the caller's clock. */
  skewMs: number
  version: string
  /** Changes what was signed before it is sent. */
  tamper(sent: { headers: Record<string, string>; text: string; query: string }): void
}

/** The asset service of a sandbox whose time stands still, and a caller that signs by the vendor's rules. */
export async function openAssetVendor(time = { nowMs: START_MS }): Promise<AssetVendor> {
  const vendors = await openVendors(time)
  const url = `${vendors.url}/vendor-a-assets`
  return {
    vendors,
    url,
    reopen: () => openAssetVendor(time),
    call(action, body, signing = {}) {
      const query = new URLSearchParams({
        Action: action,
        Version: signing.version ?? '2024-01-01',
      }).toString()
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const sentAt = new Date(time.nowMs + (signing.skewMs ?? 0))
      const sent = { text, query, headers: sign({ url, query, text, sentAt }, signing) }
      signing.tamper?.(sent)
      return callVendor(`${url}/?${sent.query}`, { method: 'POST', body: sent.text, headers: sent.headers })
    },
  }
}

export async function createGroup({ call }: AssetVendor): Promise<string> {
  return textAt(await call('CreateAssetGroup', { Name: 'default', GroupType: 'AIGC' }), 'Result.Id')
}

/** The id of a new asset, an image in a new group unless told otherwise. */
export async function createAsset(vendor: AssetVendor, more: object = {}): Promise<string> {
  const order = { URL: 'https://example.com/cat.png', AssetType: 'Image', ...more }
  const GroupId = 'GroupId' in more ? more.GroupId : await createGroup(vendor)
  return textAt(await vendor.call('CreateAsset', { ...order, GroupId }), 'Result.Id')
}

export async function readAsset({ call }: AssetVendor, id: string): Promise<unknown> {
  const { body } = await call('GetAsset', { Id: id })
  return Object(body).Result
}

export interface OpenedSession {
  token: string
  link: string
}

export const CALLBACK_URL = 'https://gateway.example/return?session=s1'

export async function openSession(vendor: AssetVendor, more: object = {}): Promise<OpenedSession> {
  const answer = await vendor.call('CreateVisualValidateSession', { CallbackURL: CALLBACK_URL, ...more })
  return { token: textAt(answer, 'Result.VerifyToken'), link: textAt(answer, 'Result.H5Link') }
}

/** Plays the scan to this end, as a browser that follows no redirect. */
export function scan({ link }: OpenedSession, ending: string, person = 1): Promise<Response> {
  return fetch(`${link}&ending=${ending}&person=${person}`, { redirect: 'manual' })
}

export function exchange(
  { call }: AssetVendor,
  { token }: OpenedSession,
  more: object = {},
): Promise<Answer> {
  return call('GetVisualValidateResult', { VerifyToken: token, ...more })
}

export async function personGroup(vendor: AssetVendor, person = 1): Promise<string> {
  const session = await openSession(vendor)
  await scan(session, 'success', person)
  return textAt(await exchange(vendor, session), 'Result.GroupId')
}

/** Body of a refusal with this code. */
export function refusal(Code: string): object {
  return { ResponseMetadata: { Error: { Code } } }
}

function sign(
  { url, query, text, sentAt }: { url: string; query: string; text: string; sentAt: Date },
  { accessKey = 'any', secretKey = 'sandbox-secret' }: Partial<Signing>,
): Record<string, string> {
  const { host, pathname } = new URL(url)
  const date = sentAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const bodyHash = createHash('sha256').update(text).digest('hex')
  const scope = [date.slice(0, 8), 'region-1', 'assets', 'request']
  const names = 'content-type;host;x-content-sha256;x-date'
  const canonical = `POST\n${pathname}/\n${query}\ncontent-type:application/json\nhost:${host}\nx-content-sha256:${bodyHash}\nx-date:${date}\n\n${names}\n${bodyHash}`
  const canonicalHash = createHash('sha256').update(canonical).digest('hex')
  let key: string | Buffer = secretKey
  for (const piece of scope) key = createHmac('sha256', key).update(piece).digest()
  const signature = createHmac('sha256', key)
    .update(`HMAC-SHA256\n${date}\n${scope.join('/')}\n${canonicalHash}`)
    .digest('hex')
  return {
    'content-type': 'application/json',
    'x-date': date,
    'x-content-sha256': bodyHash,
    authorization: `HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
