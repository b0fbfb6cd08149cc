/** Everything that needs the deployment's secret (`SLUICE_SECRET`) or true randomness. */
export interface Secrets {
  randomBytes(size: number): Uint8Array
  /**
   * What is stored instead of a text that is only ever looked up again: an API key, a token. The same text always gives
   * the same digest, so kinds that must not stand for each other begin differently.
   */
  digest(text: string): string
  /** So many bytes that only this deployment can make of these. */
  mark(bytes: Uint8Array, size: number): Uint8Array
  /** Whether this is the mark of these bytes; compared in constant time. */
  isMark(mark: Uint8Array, bytes: Uint8Array): boolean
  /** Encrypts `plaintext`; `boundTo` (a row, an owner) must be the same when it is decrypted. */
  encrypt(plaintext: string, boundTo: string): string
  /** undefined when the text was not encrypted here, was changed, or belongs to something else. */
  decrypt(encrypted: string, boundTo: string): string | undefined
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
  | 'asset'
  | 'group'
  | 'verification'
  | 'quote'
