export interface VerificationRequest {
  /** HTTPS URL. Only the person's browser opens it, so it may lead anywhere that browser can reach. */
  callbackUrl: string
  language: Language
}

/** Languages of the vendor's page, as in the client's `lang` and the link's `lng`. */
export const LANGUAGES = ['zh', 'en', 'zh-Hant'] as const

export type Language = (typeof LANGUAGES)[number]
