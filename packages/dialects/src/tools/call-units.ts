/** Units of hosted tools, which vendors sell by the call or by the session. */
export const CALL_UNITS = [
  'web_search_call',
  'file_search_call',
  'image_generation_call',
  'code_session',
] as const

export type CallUnit = (typeof CALL_UNITS)[number]
