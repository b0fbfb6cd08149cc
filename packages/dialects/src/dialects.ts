import { chatClient, chatVendor } from './chat/dialect.ts'
import type { ClientDialect, VendorDialect } from './contract/dialect.ts'
import type { Dialect, TextEndpoint } from './dialect-facts.ts'
import { messagesClient, messagesVendor } from './messages/dialect.ts'
import { responsesClient, responsesVendor } from './responses/dialect.ts'

export const CLIENT_DIALECTS: Readonly<Record<TextEndpoint, ClientDialect>> = {
  messages: messagesClient,
  responses: responsesClient,
  chat: chatClient,
}

export const VENDOR_DIALECTS: Readonly<Record<Dialect, VendorDialect>> = {
  messages: messagesVendor,
  responses: responsesVendor,
  chat: chatVendor,
}
