/** Unusable response, for the log, without the vendor's text, which may repeat a prompt or a key. */
export class VendorAnswerError extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(reason: string, { status, code }: { status: number; code?: string | undefined }) {
    const safeCode = code !== undefined && /^[\w.-]{1,80}$/.test(code) ? code : undefined
    super(`${reason} (HTTP ${status}${safeCode === undefined ? '' : `, ${safeCode}`})`)
    this.name = 'VendorAnswerError'
    this.status = status
    this.code = safeCode
  }
}
