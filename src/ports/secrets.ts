/** Operations with the deployment's secret (`SLUICE_SECRET`), signatures and true randomness. */
export interface Secrets {
  randomBytes(size: number): Uint8Array
  /**
   * Stored in place of a text that is only looked up again, such as an API key or a token. Equal texts have equal digests, so
   * kinds that must not be mistaken for each other have different prefixes.
   */
  digest(text: string): string
  /**
   * Digests under which the text may be stored: one, or two during a change of the secret. Rows move only from the first to
   * the second, so a look-up in this order misses no row that moves meanwhile.
   */
  digests(text: string): readonly string[]
  /** Digest that should replace this one of the text; undefined: it is current. */
  newerDigest(text: string, found: string): string | undefined
  /** Computes `size` bytes that only this deployment can make from these. A change of the secret keeps the marks. */
  mark(bytes: Uint8Array, size: number): Uint8Array
  /** Whether this is the mark of these bytes; compared in constant time. */
  isMark(mark: Uint8Array, bytes: Uint8Array): boolean
  /** Encrypts `plaintext`; `boundTo` (a row, an owner) must be equal at decryption. */
  encrypt(plaintext: string, boundTo: string): string
  /** Returns undefined when the text was not encrypted here, was changed, or has another binding. */
  decrypt(encrypted: string, boundTo: string): string | undefined
  /** SHA-256 in base64url, without the secret: for values that outside programs must be able to compute. */
  sha256(text: string): string
  /** Makes an Ed25519 key. It does not depend on the secret. */
  makeSigningKey(): SigningKey
  /** Equal text and key give an equal signature. */
  sign(payload: string, key: Pick<SigningKey, 'id' | 'privateKey'>): FlattenedJws
}

export interface SigningKey {
  /** Thumbprint of the public key (RFC 7638). */
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

/** State of the secrets in the store. */
export interface SecretState {
  /** A known text, encrypted with the secret that is used for writes. */
  check: string
  /** The check under the previous secret, from the switch to the end of the change. */
  previousCheck: string | null
  /** Key of the marks, encrypted; null: it is derived from the secret, which was never changed. */
  encryptedMarkKey: string | null
  /** Name of the first secret, whose texts and digests have no name as prefix. null: the secret was never changed. */
  unnamedSecret: string | null
  switchedAtMs: number | null
}

/** Keys by the name that prefixes the text encrypted with them. Plain data: it may be sent to another thread. */
export type DecryptionKeys = readonly { name: string; encryptionKey: Uint8Array }[]

/**
 * The secret of a deployment, and during a change also the previous one. Values are read under both. The store decides
 * which of them is used for writes: a replica that has both must write values that a replica without the new one can read.
 */
export interface Keyring extends Secrets {
  /** Returns undefined when neither secret opens the check; nothing is changed then. */
  follow(state: SecretState): 'current' | 'previous' | undefined
  hasPrevious: boolean
  /** Keys for decryption on another thread. */
  decryptionKeys: DecryptionKeys
  /** Whether one of the secrets opens a check. */
  opens(check: string): boolean
  /** Makes a check under the secret that is used for writes. */
  makeCheck(): string
  /** Returns the state of the store after the switch, so that the current secret is used for writes. */
  draftSwitch(from: SecretState, atMs: number): SecretState
  /** Whether this text is encrypted with the secret that is used for writes. */
  isAsWritten(encrypted: string): boolean
  /** Prefix of texts and digests under that secret; null: no name. All other secrets have other prefixes. */
  startOfWritten(): string | null
}

/** Makes ids that sort by creation time, such as `org_019a...`; ids of one process never repeat or run backwards. */
export type NewId = (prefix: IdPrefix) => string

type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'prov'
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
  | 'clip'
  | 'ref'
