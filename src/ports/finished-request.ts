/** What is known of a request when its answer is complete. Every word is ours; nothing a client wrote is in it. */
export interface FinishedRequest {
  requestId: string
  /** `unknown` where no operation has this path and method. */
  operation: string
  method: string
  status: number
  durationMs: number
  /** undefined when the key was not recognised. */
  organizationId: string | undefined
  keyId: string | undefined
  /** The model that served a text reply. */
  servedBy?: string | undefined
}

/** Writes the line of one request. Apart from other logging because it happens on every request and must be cheap. */
export type LogRequest = (request: FinishedRequest) => void
