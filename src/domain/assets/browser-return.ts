/** Parameters that a browser brings back. Any client can forge them, so they may refute a success but never prove it. */
export interface BrowserReturn {
  resultCode: string | undefined
  verifyType: string | undefined
  algorithmBaseRespCode: string | undefined
  reqMeasureInfoValue: string | undefined
}

/** Shape of values that are passed on to the client's page. */
const PLAIN_VALUE = /^[\w.-]{1,64}$/

export function readBrowserReturn(query: unknown): BrowserReturn {
  return {
    resultCode: readValue(query, 'resultCode'),
    verifyType: readValue(query, 'verify_type'),
    algorithmBaseRespCode: readValue(query, 'algorithmBaseRespCode'),
    reqMeasureInfoValue: readValue(query, 'reqMeasureInfoValue'),
  }
}

/** Returns undefined for a value of another shape: removing characters could turn one value into another. */
export function plainValue(value: string | undefined): string | undefined {
  return value !== undefined && PLAIN_VALUE.test(value) ? value : undefined
}

/** Joins the values of a repeated parameter, so that a failure cannot hide behind a success. */
function readValue(query: unknown, name: string): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const value: unknown = Object.getOwnPropertyDescriptor(query, name)?.value
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(',')
  return typeof value === 'string' ? value : undefined
}
