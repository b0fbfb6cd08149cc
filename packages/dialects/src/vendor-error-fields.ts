import type { TextEndpoint } from './dialect-facts.ts'
import { CLIENT_DIALECTS } from './dialects.ts'
import { errorPartOf, type HidingOptions, type VendorErrorFields } from './errors/vendor-error.ts'
import { isJsonObject } from './json/json-object.ts'

/** Reads the fields of a vendor's error in a dialect, without secrets. Values of another shape are left out. */
export function readVendorErrorFields(
  body: unknown,
  dialect: TextEndpoint,
  { hides = [] }: HidingOptions = {},
): VendorErrorFields {
  const error = errorPartOf(body)
  return isJsonObject(error) ? CLIENT_DIALECTS[dialect].passthrough.readErrorFields(error, hides) : {}
}
