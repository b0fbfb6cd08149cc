import type { ClientDialect, VendorDialect } from '../contract/dialect.ts'
import { ERROR_ENVELOPE_SCHEMA, writeErrorEnvelope } from '../contract/error-envelope.ts'
import { checkResponsesRequest } from './check/check-request.ts'
import { askForSummary } from './compaction/ask-for-summary.ts'
import { ownCompactionsIn, summaryMessage } from './compaction/own-compactions.ts'
import { retainedMessages } from './compaction/retained-messages.ts'
import { keepingOf } from './kept/keeping.ts'
import { responsesPassthrough } from './passthrough/passthrough.ts'
import { readResponsesRequest } from './read-request.ts'
import { readResponsesReply, readResponsesStream } from './read-stream.ts'
import {
  referencesIn,
  referencesInResponses,
  resolveReferences,
  responsesReferenceVendorState,
  withoutItemIds,
} from './references.ts'
import { writeResponsesRequest } from './write-request.ts'
import { writeResponsesReply, writeResponsesStream } from './write-stream.ts'

export const responsesClient: ClientDialect = {
  check: checkResponsesRequest,
  readRequest: readResponsesRequest,
  writeStream: writeResponsesStream,
  writeReply: writeResponsesReply,
  writeError: writeErrorEnvelope,
  errorSchema: { name: 'ResponsesError', schema: ERROR_ENVELOPE_SCHEMA },
  idPrefix: 'resp',
  outputBounds: ['max_output_tokens'],
  decisive: ['store', 'background', 'previous_response_id'],
  keepingOf,
  findReferences: referencesInResponses,
  referencesVendorState: responsesReferenceVendorState,
  items: {
    idsIn: referencesIn,
    resolve: resolveReferences,
    areKept: ({ store }) => store !== false,
    withoutIds: withoutItemIds,
    asBody: (items) => ({ input: items }),
  },
  compaction: {
    askForSummary,
    retained: retainedMessages,
    compactionsIn: ownCompactionsIn,
    opened: summaryMessage,
  },
  hostedCallBound: (_tool, { max_tool_calls: bound }) => bound,
  namesOtherModels: () => false,
  passthrough: responsesPassthrough,
}

export const responsesVendor: VendorDialect = {
  writeRequest: writeResponsesRequest,
  readStream: readResponsesStream,
  readReply: readResponsesReply,
  hidesThoughts: false,
}
