import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Secrets } from '../../ports/secrets.ts'

const SALT = 'sluice'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Three keys from one secret, so that a digest can never help to decrypt a text or to make a mark. */
export function createSecrets(secret: string): Secrets {
  // Named after the first that were digested; whatever is stored depends on it.
  const digestKey = deriveKey(secret, 'api-key digests')
  const encryptionKey = deriveKey(secret, 'secrets at rest')
  const markKey = deriveKey(secret, 'marks')
  const mark = (bytes: Uint8Array, size: number) =>
    createHmac('sha256', markKey).update(bytes).digest().subarray(0, size)

  return {
    randomBytes: (size) => randomBytes(size),
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('hex'),
    mark,
    isMark: (presented, bytes) => timingSafeEqual(presented, mark(bytes, presented.length)),
    encrypt(plaintext, boundTo) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(boundTo))
      const hidden = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url')
    },
    decrypt(encrypted, boundTo) {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.toString('base64url') !== encrypted || bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return (
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch {
        return undefined
      }
    },
  }
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, SALT, purpose, 32))
}
