/** Why a reply failed, in words a client may read. */
export interface ReplyFailure {
  /**
   * `broken`: the stream stopped or was no valid stream. `vendor`: the vendor said so. `busy`: it has no room now.
   * `refused`: it found fault with the request. `too-long`: the same, and the fault is its length. `too-late`: it fell silent. `draining`: we are closing.
   */
  kind: 'broken' | 'vendor' | 'busy' | 'refused' | 'too-long' | 'too-late' | 'draining'
  message: string
}
