import type { TextEndpoint } from '../domain/catalog/dialects.ts'
import { isJsonObject } from '../domain/json-object.ts'
import { CLIENT_DIALECTS } from './dialects.ts'
import { type HidingOptions, tellingPartOf, type VendorErrorFields } from './vendor-error.ts'

/** The fields that this dialect has, fit for a client as the message is. What is not of their shape is left out. */
export function readVendorErrorFields(
  body: unknown,
  dialect: TextEndpoint,
  { hides = [] }: HidingOptions = {},
): VendorErrorFields {
  const error = tellingPartOf(body)
  return isJsonObject(error) ? CLIENT_DIALECTS[dialect].passthrough.readErrorFields(error, hides) : {}
}
