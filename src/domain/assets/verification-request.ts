/** What a client gives for the verification of one person. */
export interface VerificationRequest {
  /** HTTPS. Only the person's browser opens it, so it may lead anywhere that browser can reach. */
  callbackUrl: string
  language: Language
}

/** Of the vendor's page, as the client's `lang` and the link's `lng` name them. */
export const LANGUAGES = ['zh', 'en', 'zh-Hant'] as const

export type Language = (typeof LANGUAGES)[number]
