/** Operations with the deployment's secret (`SLUICE_SECRET`), signatures and true randomness. */
export interface Secrets {
  randomBytes(size: number): Uint8Array
  /**
   * The digest is stored in place of a text that is only looked up, such as an API key or a token. Equal texts have equal
   * digests, so different kinds of text need different prefixes.
   */
  digest(text: string): string
  /**
   * Digests under which the text may be stored; two during a change of the secret. Rows move only from the first digest
   * to the second, so a look-up in this order misses no row.
   */
  digests(text: string): readonly string[]
  /** Returns the digest under the new secret when it has to replace `found`; undefined: `found` stays. */
  newerDigest(text: string, found: string): string | undefined
  /** Computes `size` bytes that only this deployment can compute. A change of the secret keeps all marks. */
  mark(bytes: Uint8Array, size: number): Uint8Array
  /** Compares in constant time. */
  isMark(mark: Uint8Array, bytes: Uint8Array): boolean
  /** `boundTo` (a row, an owner) must be equal at decryption. */
  encrypt(plaintext: string, boundTo: string): string
  /** Returns undefined when the text was not encrypted here, was changed, or has another binding. */
  decrypt(encrypted: string, boundTo: string): string | undefined
  /** SHA-256 in base64url, without the secret: other programs can compute it too. */
  sha256(text: string): string
  /** Makes an Ed25519 key, independent of the secret. */
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

/** RFC 7515, section 7.2.2. All three members are base64url. */
export interface FlattenedJws {
  payload: string
  protected: string
  signature: string
}

export interface SecretState {
  /** A known text, encrypted with the secret that writes use. */
  check: string
  /** The check under the previous secret, from the switch to the end of the change. */
  previousCheck: string | null
  /** Key of the marks, encrypted; null: it is derived from the secret, which never changed. */
  encryptedMarkKey: string | null
  /** Name of the first secret, whose texts and digests have no prefix; null: the secret never changed. */
  unnamedSecret: string | null
  switchedAtMs: number | null
}

/** Each key decrypts the texts that begin with its name. Plain data, so that another thread can receive it. */
export type DecryptionKeys = readonly { name: string; encryptionKey: Uint8Array }[]

/**
 * The secret of a deployment, and during a change also the previous one. Both decrypt values. The state in the store
 * decides which one encrypts, so that replicas without the new secret can read what other replicas write.
 */
export interface Keyring extends Secrets {
  /** Writes with the secret that opens the check from now on. Returns undefined when neither secret does. */
  follow(state: SecretState): 'current' | 'previous' | undefined
  hasPrevious: boolean
  decryptionKeys: DecryptionKeys
  opens(check: string): boolean
  makeCheck(): string
  /** Returns the state after the switch, in which writes use the current secret. */
  draftSwitch(from: SecretState, atMs: number): SecretState
  /** Whether this text is encrypted with the secret that writes use. */
  isAsWritten(encrypted: string): boolean
  /** Prefix of texts and digests under the secret that writes use; null: none. Other secrets have other prefixes. */
  startOfWritten(): string | null
}

/** Makes ids that sort by creation time, such as `org_019a...`. Ids of one process never repeat or run backwards. */
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
