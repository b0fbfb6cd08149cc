import type { BillingCase } from '../billing-case.ts'

const OTHERS = 'own fault: a native stream dropped the input'

/** The gateway counts 5 output tokens in place of the invalid count, and uses the vendor's 1,000 input tokens. */
const messages = (what: string, output: unknown): BillingCase => ({
  name: `an output of ${what} from a messages vendor`,
  vendor: 'messages',
  usages: [{ input_tokens: 1_000, output_tokens: 1 }, { output_tokens: output }],
  whole: { input_tokens: 1_000, output_tokens: output },
  others: OTHERS,
  threads: [],
  charge: 3_075,
})

/** Replies in which one count is not a number of tokens. */
export const INVALID_COUNTS: readonly BillingCase[] = [
  messages('less than nothing', -5),
  messages('text', '40'),
  messages('null', null),
  {
    name: 'an output of a fraction from a messages vendor',
    vendor: 'messages',
    usages: [{ input_tokens: 1_000, output_tokens: 1 }, { output_tokens: 40.9 }],
    whole: { input_tokens: 1_000, output_tokens: 40.9 },
    others: 'own fault: dialects differed',
    threads: [],
    charge: 3_600,
  },
  {
    name: 'an input of less than nothing from a messages vendor',
    vendor: 'messages',
    usages: [{ input_tokens: -1, cache_read_input_tokens: 50, output_tokens: 1 }, { output_tokens: 40 }],
    whole: { input_tokens: -1, cache_read_input_tokens: 50, output_tokens: 40 },
    others: 'own fault: output count dropped',
    threads: [],
    charge: 627,
  },
  {
    name: 'an output of less than nothing from a chat vendor',
    vendor: 'chat',
    usages: [{ prompt_tokens: 1_000, completion_tokens: -5, total_tokens: 995 }],
    others: 'negative price',
    threads: [],
    charge: 3_075,
  },
  {
    name: 'an output of less than nothing from a responses vendor',
    vendor: 'responses',
    usages: [{ input_tokens: 1_000, output_tokens: -5, total_tokens: 995 }],
    others: 'negative price',
    threads: [],
    charge: 3_075,
  },
  {
    name: 'an output of more than any number of tokens',
    vendor: 'messages',
    usages: [{ input_tokens: 1_000, output_tokens: 1 }, { output_tokens: 1e300 }],
    whole: { input_tokens: 1_000, output_tokens: 1e300 },
    others: 'own fault: dialects differed',
    threads: [],
    charge: { messages: 318_360, chat: 3_858_360, responses: 3_858_360 },
  },
  {
    name: 'an output of more than any number of tokens in a chunk',
    vendor: 'chat',
    usages: [{ prompt_tokens: 1_000, completion_tokens: 1e300 }],
    others: 'price as large',
    threads: [],
    charge: { messages: 318_360, chat: 3_858_360, responses: 3_858_360 },
  },
]
