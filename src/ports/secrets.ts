/** Everything that needs the deployment's secret (`SLUICE_SECRET`), a signature or true randomness. */
export interface Secrets {
  randomBytes(size: number): Uint8Array
  /**
   * What is stored instead of a text that is only ever looked up again: an API key, a token. The same text always gives
   * the same digest, so kinds that must not stand for each other begin differently.
   */
  digest(text: string): string
  /**
   * Under which digests the text may be stored: one, or in a change of the secret two. Rows go from the first to the
   * second only, so a look-up in this order misses none that moves meanwhile.
   */
  digests(text: string): readonly string[]
  /** What a row that was found under this digest of the text should have instead; undefined: it is as it should be. */
  newerDigest(text: string, found: string): string | undefined
  /** So many bytes that only this deployment can make of these. A change of the secret leaves marks as they are. */
  mark(bytes: Uint8Array, size: number): Uint8Array
  /** Whether this is the mark of these bytes; compared in constant time. */
  isMark(mark: Uint8Array, bytes: Uint8Array): boolean
  /** Encrypts `plaintext`; `boundTo` (a row, an owner) must be the same when it is decrypted. */
  encrypt(plaintext: string, boundTo: string): string
  /** undefined when the text was not encrypted here, was changed, or belongs to something else. */
  decrypt(encrypted: string, boundTo: string): string | undefined
  /** SHA-256 in base64url, without the secret: for what programs outside must be able to compute again. */
  sha256(text: string): string
  /** A new Ed25519 key. It does not depend on the secret. */
  makeSigningKey(): SigningKey
  /** The same text and key always give the same signature. */
  sign(payload: string, key: Pick<SigningKey, 'id' | 'privateKey'>): FlattenedJws
}

export interface SigningKey {
  /** The thumbprint of the public key (RFC 7638). */
  id: string
  /** The 32 bytes in base64url. */
  publicKey: string
  /** PKCS #8 in base64url. */
  privateKey: string
}

/** RFC 7515, section 7.2.2. All three are base64url. */
export interface FlattenedJws {
  payload: string
  protected: string
  signature: string
}

/** What the store says of the secrets that it was written under. */
export interface SecretState {
  /** A known word, encrypted under the secret that everything new is written under. */
  check: string
  /** The same under the secret before, from the switch to the end of the change. */
  previousCheck: string | null
  /** The key of the marks, encrypted; null: it is made of the secret, which was never changed. */
  encryptedMarkKey: string | null
  /** The name of the secret whose texts and digests begin with no name: the first one. null: it was never changed. */
  unnamedSecret: string | null
  switchedAtMs: number | null
}

/** By the names that stand before what is encrypted under them. Plain data: it may cross to another thread. */
export type DecryptionKeys = readonly { name: string; encryptionKey: Uint8Array }[]

/**
 * The secret of a deployment, and in a change of it also the one before. Everything is read under both. Under which of
 * them is written, the store decides: a replica that has both must write what a replica without the new one can read.
 */
export interface Keyring extends Secrets {
  /** undefined: neither secret opens the check, and nothing has changed. */
  follow(state: SecretState): 'current' | 'previous' | undefined
  hasPrevious: boolean
  /** What another thread needs to decrypt. */
  decryptionKeys: DecryptionKeys
  /** Whether one of the secrets opens a check. */
  opens(check: string): boolean
  /** A check under the secret that is written under. */
  makeCheck(): string
  /** What the store must say from now on, so that everything new is written under the current secret. */
  draftSwitch(from: SecretState, atMs: number): SecretState
  /** Whether this encrypted text is under the secret that is written under. */
  isAsWritten(encrypted: string): boolean
  /** How texts and digests under that secret begin; null: with no name. Those of all others begin differently. */
  startOfWritten(): string | null
}

/** Makes ids that sort by creation time, such as `org_019a...`; ids of one process never repeat or run backwards. */
export type NewId = (prefix: IdPrefix) => string

type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'opr'
  | 'adm'
  | 'task'
  | 'req'
  | 'hold'
  | 'ent'
  | 'use'
  | 'claim'
  | 'aud'
  | 'msg'
  | 'resp'
  | 'chatcmpl'
  | 'fc'
  | 'ctc'
  | 'rs'
  | 'call'
  | 'cmp'
  | 'asset'
  | 'group'
  | 'verification'
  | 'quote'
