/** Error that the gateway answered, with its message. */
export class SluiceError extends Error {
  readonly status: number
  /** One of the codes in the reference, such as `insufficient_balance`. */
  readonly code: string | undefined
  /** Parameter at fault. */
  readonly param: string | undefined
  /** Names the request in the logs of the gateway. */
  readonly requestId: string | undefined

  constructor(
    message: string,
    { status, code, param, requestId }: Pick<SluiceError, 'status' | 'code' | 'param' | 'requestId'>,
  ) {
    super(message)
    this.name = 'SluiceError'
    this.status = status
    this.code = code
    this.param = param
    this.requestId = requestId
  }
}

/** Reads the envelope of an error; anything else becomes a message with the status. */
export async function errorOf(response: Response): Promise<SluiceError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { message, code, param }: Record<string, unknown> = Object(Object(body).error)
  return new SluiceError(textOf(message) ?? `The gateway answered ${response.status}.`, {
    status: response.status,
    code: textOf(code),
    param: textOf(param),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
