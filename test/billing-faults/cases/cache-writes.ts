import type { BillingCase } from '../billing-case.ts'

const LONG_MARK = { type: 'ephemeral', ttl: '1h' }
const SYSTEM = [{ type: 'text', text: 'Be kind.', cache_control: LONG_MARK }]
const PROMPT = [{ type: 'text', text: 'Say hello.', cache_control: LONG_MARK }]
const parts = (short: number, long: number) => ({
  cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
})

/** Writes to a vendor's cache, for five minutes and for longer. */
export const CACHE_WRITES: readonly BillingCase[] = [
  {
    name: 'writes for an hour that grow in the last event',
    vendor: 'messages',
    usages: [
      { input_tokens: 10, cache_creation_input_tokens: 1_000, ...parts(0, 1_000), output_tokens: 1 },
      { cache_creation_input_tokens: 9_000, output_tokens: 10 },
    ],
    others: 'price of five minutes',
    threads: ['earendil-works/pi#9210'],
    charge: 54_180,
  },
  {
    name: 'writes for five minutes that grow',
    vendor: 'messages',
    usages: [
      { input_tokens: 10, cache_creation_input_tokens: 1_000, ...parts(1_000, 0), output_tokens: 1 },
      { cache_creation_input_tokens: 9_000, output_tokens: 10 },
    ],
    others: 'not seen: nothing says an hour',
    threads: [],
    charge: 33_930,
  },
  {
    name: 'a total without parts, and a request for an hour',
    vendor: 'messages',
    usages: [
      { input_tokens: 10, cache_creation_input_tokens: 0, ...parts(0, 0), output_tokens: 1 },
      { cache_creation_input_tokens: 9_000, output_tokens: 10 },
    ],
    whole: { input_tokens: 10, cache_creation_input_tokens: 9_000, output_tokens: 10 },
    asks: { system: SYSTEM },
    others: 'write free; a conversion never asks for an hour',
    threads: ['QuantumNous/new-api#6353'],
    charge: { messages: 54_180, chat: 33_930, responses: 33_930 },
  },
  {
    name: 'writes for an hour, said at the end only',
    vendor: 'messages',
    usages: [
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 10, cache_creation_input_tokens: 11_350, ...parts(0, 11_350), output_tokens: 48 },
    ],
    others: 'only the first event read',
    threads: ['earendil-works/pi#9210'],
    charge: 68_850,
  },
  {
    name: 'a total without parts',
    vendor: 'messages',
    promptBytes: 100_000,
    usages: [
      {
        ...{ input_tokens: 24_951, cache_read_input_tokens: 64_126, cache_creation_input_tokens: 2_805 },
        output_tokens: 854,
      },
    ],
    others: 'write free',
    threads: ['QuantumNous/new-api#5756', 'QuantumNous/new-api#6353'],
    charge: 117_420,
  },
  {
    name: 'parts that are null',
    vendor: 'messages',
    promptBytes: 160_000,
    usages: [
      { input_tokens: 6, cache_creation_input_tokens: 159_217, cache_creation: null, output_tokens: 2_745 },
    ],
    others: 'write charged twice',
    threads: ['maximhq/bifrost#3451'],
    charge: 638_257,
  },
  {
    name: 'parts that are zero beside a total',
    vendor: 'messages',
    usages: [{ input_tokens: 10, cache_creation_input_tokens: 1_000, ...parts(0, 0), output_tokens: 10 }],
    others: 'write free',
    threads: ['QuantumNous/new-api#6353'],
    charge: 3_930,
  },
  {
    name: 'parts without their total',
    vendor: 'messages',
    usages: [{ input_tokens: 10, ...parts(0, 1_000), output_tokens: 10 }],
    others: 'own fault: write free',
    threads: [],
    charge: 6_180,
  },
  {
    name: 'a write for an hour',
    vendor: 'messages',
    usages: [{ input_tokens: 3, cache_creation_input_tokens: 5_424, ...parts(0, 5_424), output_tokens: 43 }],
    others: 'length not kept',
    threads: ['BerriAI/litellm#20293', 'BerriAI/litellm#15056'],
    charge: 33_198,
  },
  {
    name: 'writes of both lengths',
    vendor: 'messages',
    usages: [
      { input_tokens: 100, cache_creation_input_tokens: 1_000, ...parts(400, 600), output_tokens: 10 },
    ],
    others: 'price of five minutes',
    threads: ['majiayu000/ccstats#86'],
    charge: 5_550,
  },
  {
    name: 'a length that is new',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 10, cache_creation_input_tokens: 1_000, output_tokens: 10 },
        cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_24h_input_tokens: 600 },
      },
    ],
    others: 'third length unknown',
    threads: [],
    charge: 5_280,
  },
  {
    name: 'a write for an hour in a long context',
    vendor: 'messages',
    promptBytes: 250_000,
    usages: [
      { input_tokens: 10, cache_creation_input_tokens: 250_000, ...parts(0, 250_000), output_tokens: 100 },
    ],
    others: 'one factor left out',
    threads: ['BerriAI/litellm#15055', 'BerriAI/litellm#18988'],
    charge: 3_002_310,
  },
  {
    name: 'chat: a write beside the prompt',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 31, completion_tokens: 467, total_tokens: 498 },
        prompt_tokens_details: { cached_tokens: 0 },
        ...{ cache_creation_input_tokens: 1_253, cache_read_input_tokens: 0 },
      },
    ],
    others: '1,222 tokens free',
    threads: ['BerriAI/litellm#15056'],
    charge: 11_797,
  },
  {
    name: 'chat: reads and writes by the names of a relay',
    vendor: 'chat',
    promptBytes: 100_000,
    usages: [
      {
        ...{ prompt_tokens: 98_805, completion_tokens: 5_120, total_tokens: 103_925 },
        prompt_tokens_details: { cached_tokens: 66_360, cache_creation_tokens: 32_435 },
        completion_tokens_details: { reasoning_tokens: 1_710 },
        ...{ cache_read_input_tokens: 66_360, cache_creation_input_tokens: 32_435 },
      },
    ],
    others: 'wrong cache price',
    threads: ['BerriAI/litellm#11364'],
    charge: 218_369,
  },
  {
    name: 'chat: a write within the prompt',
    vendor: 'chat',
    promptBytes: 30_000,
    usages: [
      {
        ...{ prompt_tokens: 25_612, completion_tokens: 20, total_tokens: 25_632 },
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 25_600 },
      },
    ],
    others: 'write free',
    threads: ['aaif-goose/goose#11472', 'HybridAIOne/hybridclaw#1516', 'anomalyco/opencode#18440'],
    charge: 96_336,
  },
  {
    name: 'chat: a write beside the prompt, which the total shows',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 18, completion_tokens: 158, total_tokens: 2_460 },
        ...{ cache_creation_input_tokens: 2_284, cache_read_input_tokens: 0 },
      },
    ],
    others: 'parts and total differ',
    threads: ['Portkey-AI/gateway#1754', 'vercel/ai#9921'],
    charge: 10_989,
  },
  {
    name: 'chat: a write of a relay with its own name for it',
    vendor: 'chat',
    promptBytes: 100_000,
    usages: [
      {
        ...{ prompt_tokens: 91_882, completion_tokens: 854, total_tokens: 92_736 },
        prompt_tokens_details: { cached_tokens: 64_126, cached_creation_tokens: 2_805 },
      },
    ],
    others: 'write free',
    threads: ['QuantumNous/new-api#5756'],
    charge: 117_420,
  },
  {
    name: 'chat: a write with its length among the details',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 5_000, completion_tokens: 10, total_tokens: 5_010 },
        prompt_tokens_details: {
          ...{ cached_tokens: 0, cache_creation_input_tokens: 4_000 },
          cache_creation: { ephemeral_5m_input_tokens: 4_000 },
        },
      },
    ],
    asks: { messages: [{ role: 'user', content: PROMPT }] },
    others: 'members copied before they could be charged',
    threads: [],
    charge: 18_150,
  },
  {
    name: 'chat: a write for an hour',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 5_427, completion_tokens: 43, total_tokens: 5_470 },
        prompt_tokens_details: {
          ...{ cached_tokens: 0, cache_creation_tokens: 5_424 },
          cache_creation_token_details: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 5_424 },
        },
      },
    ],
    others: 'length left out of replies and logs',
    threads: ['BerriAI/litellm#15056'],
    charge: 33_198,
  },
  {
    name: 'chat: a write without its length, and a request for an hour',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 9_010, completion_tokens: 10, total_tokens: 9_020 },
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 9_000 },
      },
    ],
    asks: { messages: [{ role: 'user', content: PROMPT }] },
    others: 'write free; a conversion never asks for an hour',
    threads: ['aaif-goose/goose#11472'],
    charge: { messages: 33_930, chat: 54_180, responses: 33_930 },
  },
  {
    name: 'responses: reads and writes within the input',
    vendor: 'responses',
    usages: [
      {
        ...{ input_tokens: 2_600, output_tokens: 300, total_tokens: 2_900 },
        input_tokens_details: { cached_tokens: 2_000, cache_write_tokens: 400 },
      },
    ],
    others: 'write free, or charged twice',
    threads: ['anomalyco/opencode#37745', 'aplisay/llm-agent#345'],
    charge: 7_200,
  },
  {
    name: 'responses: writes of two lengths',
    vendor: 'responses',
    usages: [
      {
        ...{ input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
        input_tokens_details: {
          ...{ cached_tokens: 0, cache_write_tokens: 1_000 },
          cache_write_tokens_details: { ttl_30m_tokens: 400, ttl_12h_tokens: 600 },
        },
      },
    ],
    others: 'other length unknown',
    threads: [],
    charge: 6_600,
  },
]
