import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { DecryptionKeys, Keyring, SecretState } from '../../ports/secrets.ts'
import { makeSigningKey, sha256, signJws } from './signatures.ts'

const SALT = 'sluice'
const IV_BYTES = 12
const TAG_BYTES = 16
const NAME_BYTES = 4
const CHECK_WORD = 'sluice'
const CHECK_BOUND_TO = 'deployment'
const MARK_KEY_BOUND_TO = 'deployment marks'

/** Separate keys, derived from one secret, so that a known digest does not help to decrypt a text or to make a mark. */
interface Keys {
  /** Prefix of all values that are written with the secret, except with the first secret of a store. */
  name: string
  digestKey: Buffer
  encryptionKey: Buffer
  markKey: Buffer
}

export function createSecrets(secret: string, { previous }: { previous?: string | undefined } = {}): Keyring {
  const current = keysOf(secret)
  const before = previous === undefined || previous === secret ? undefined : keysOf(previous)
  const all = before === undefined ? [current] : [before, current]
  let writing = current
  let unnamed: string | null = null
  let { markKey } = current

  const startOf = ({ name }: Keys) => (name === (unnamed ?? writing.name) ? '' : `${name}.`)
  const digestBy = (keys: Keys, text: string) =>
    startOf(keys) + createHmac('sha256', keys.digestKey).update(text).digest('hex')
  const mark = (bytes: Uint8Array, size: number) =>
    createHmac('sha256', markKey).update(bytes).digest().subarray(0, size)
  const encryptBy = (keys: Keys, plaintext: string, boundTo: string) =>
    startOf(keys) + encryptWith(keys.encryptionKey, plaintext, boundTo)

  const decrypt = (encrypted: string, boundTo: string) => decryptBy(all, encrypted, boundTo)

  function isCheckOf({ name, encryptionKey }: Keys, check: string): boolean {
    const bare = check.startsWith(`${name}.`) ? check.slice(name.length + 1) : check
    return decryptWith(encryptionKey, bare, CHECK_BOUND_TO) === CHECK_WORD
  }

  return {
    randomBytes: (size) => randomBytes(size),
    digest: (text) => digestBy(writing, text),
    digests: (text) => all.map((keys) => digestBy(keys, text)),
    newerDigest(text, found) {
      // A replica that has not seen the switch yet must not undo the digests that another replica changed.
      if (before === undefined || writing !== current) return undefined
      const newer = digestBy(current, text)
      return newer === found ? undefined : newer
    },
    mark,
    isMark: (presented, bytes) => timingSafeEqual(presented, mark(bytes, presented.length)),
    encrypt: (plaintext, boundTo) => encryptBy(writing, plaintext, boundTo),
    decrypt,
    sha256,
    makeSigningKey,
    sign: signJws,
    hasPrevious: before !== undefined,
    decryptionKeys: all.map(({ name, encryptionKey }) => ({ name, encryptionKey })),
    opens: (check) => all.some((keys) => isCheckOf(keys, check)),
    makeCheck: () => encryptBy(writing, CHECK_WORD, CHECK_BOUND_TO),
    follow({ check, encryptedMarkKey, unnamedSecret }) {
      const opener = all.findLast((keys) => isCheckOf(keys, check))
      if (opener === undefined) return undefined
      writing = opener
      unnamed = unnamedSecret
      const kept = encryptedMarkKey === null ? undefined : decrypt(encryptedMarkKey, MARK_KEY_BOUND_TO)
      markKey = kept === undefined ? opener.markKey : Buffer.from(kept, 'base64')
      return opener === current ? 'current' : 'previous'
    },
    draftSwitch(from, atMs): SecretState {
      const unnamedSecret = from.unnamedSecret ?? writing.name
      const start = current.name === unnamedSecret ? '' : `${current.name}.`
      const encryptNew = (text: string, boundTo: string) =>
        start + encryptWith(current.encryptionKey, text, boundTo)
      return {
        check: encryptNew(CHECK_WORD, CHECK_BOUND_TO),
        previousCheck: from.check,
        encryptedMarkKey: encryptNew(markKey.toString('base64'), MARK_KEY_BOUND_TO),
        unnamedSecret,
        switchedAtMs: atMs,
      }
    },
    isAsWritten(encrypted) {
      const start = startOf(writing)
      return start === '' ? !encrypted.includes('.') : encrypted.startsWith(start)
    },
    startOfWritten: () => startOf(writing) || null,
  }
}

export function decryptBy(keys: DecryptionKeys, encrypted: string, boundTo: string): string | undefined {
  const point = encrypted.indexOf('.')
  const bare = encrypted.slice(point + 1)
  for (const { name, encryptionKey } of keys) {
    if (point !== -1 && name !== encrypted.slice(0, point)) continue
    const text = decryptWith(encryptionKey, bare, boundTo)
    if (text !== undefined) return text
  }
  return undefined
}

function keysOf(secret: string): Keys {
  return {
    name: deriveKey(secret, 'name').subarray(0, NAME_BYTES).toString('hex'),
    // Stored digests depend on the text `api-key digests`, although other digests use this key too.
    digestKey: deriveKey(secret, 'api-key digests'),
    encryptionKey: deriveKey(secret, 'secrets at rest'),
    markKey: deriveKey(secret, 'marks'),
  }
}

function encryptWith(key: Buffer, plaintext: string, boundTo: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(boundTo))
  const hidden = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url')
}

function decryptWith(key: Uint8Array, encrypted: string, boundTo: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.toString('base64url') !== encrypted || bytes.length < IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, SALT, purpose, 32))
}
