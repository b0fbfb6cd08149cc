import type { BillingCase } from '../billing-case.ts'

const NOTHING = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** Counts of a messages stream that come twice, late, or as zeros. */
export const REPEATED_COUNTS: readonly BillingCase[] = [
  {
    name: 'zeros for all input in the last event',
    vendor: 'messages',
    promptBytes: 100_000,
    usages: [
      { input_tokens: 15, cache_read_input_tokens: 100_000, output_tokens: 1 },
      { ...NOTHING, output_tokens: 40 },
    ],
    others: 'input free',
    threads: ['envoyproxy/ai-gateway#1631'],
    charge: 30_645,
  },
  {
    name: 'a zero for the input alone',
    vendor: 'messages',
    usages: [
      { input_tokens: 5_000, output_tokens: 1 },
      { input_tokens: 0, output_tokens: 40 },
    ],
    others: 'input free',
    threads: ['envoyproxy/ai-gateway#1631'],
    charge: 15_600,
  },
  {
    name: 'zeros after counts of all three kinds',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 9, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 },
        output_tokens: 0,
      },
      { ...NOTHING, output_tokens: 16 },
    ],
    others: 'counts added up twice',
    threads: ['envoyproxy/ai-gateway#2236'],
    charge: 276,
  },
  {
    name: 'zeros after writes for an hour',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 10, cache_creation_input_tokens: 2_000, output_tokens: 1 },
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 2_000 },
      },
      {
        ...{ ...NOTHING, output_tokens: 20 },
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      },
    ],
    others: 'own fault',
    threads: [],
    charge: 12_330,
  },
  {
    name: 'a second final event of zeros',
    vendor: 'messages',
    usages: [
      { input_tokens: 1_000, output_tokens: 1 },
      { input_tokens: 1_000, output_tokens: 40 },
      { input_tokens: 0, output_tokens: 0 },
    ],
    others: 'own fault',
    threads: [],
    charge: 3_600,
  },
  {
    name: 'a first event that is sent again after the last count',
    vendor: 'messages',
    usages: [
      { input_tokens: 1_000, output_tokens: 1 },
      { input_tokens: 1_000, output_tokens: 40 },
    ],
    repeatsStart: true,
    others: 'own fault',
    threads: [],
    charge: 3_600,
  },
  {
    name: 'every count in the last event only',
    vendor: 'messages',
    usages: [
      { ...NOTHING, output_tokens: 0 },
      { input_tokens: 4_522, cache_creation_input_tokens: 4_511, output_tokens: 5 },
    ],
    others: 'only the first event read: 9,033 tokens free',
    threads: ['envoyproxy/ai-gateway#2290', 'tontinton/maki#1065'],
    charge: 30_557,
  },
  {
    name: 'input in the last event of a relay that begins with zeros',
    vendor: 'messages',
    usages: [
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 10, output_tokens: 17 },
    ],
    others: 'clients saw an empty context',
    threads: ['router-for-me/CLIProxyAPI#1700'],
    charge: 285,
  },
  {
    name: 'cache reads in the last event only',
    vendor: 'messages',
    usages: [
      { input_tokens: 3_602, output_tokens: 0 },
      { cache_creation_input_tokens: 0, cache_read_input_tokens: 3_604, output_tokens: 878 },
    ],
    others: 'only the first event read',
    threads: ['jeremychone/rust-genai#258'],
    charge: 25_057,
  },
  {
    name: 'the same counts in both events',
    vendor: 'messages',
    usages: [{ input_tokens: 9, cache_read_input_tokens: 1, output_tokens: 16 }],
    others: 'cache charged twice',
    threads: ['envoyproxy/ai-gateway#2279', 'envoyproxy/ai-gateway#2239'],
    charge: 267,
  },
  {
    name: 'the whole prompt first, its parts at the end',
    vendor: 'messages',
    usages: [
      { ...NOTHING, input_tokens: 12_000, output_tokens: 0 },
      { input_tokens: 200, cache_read_input_tokens: 11_800, output_tokens: 50 },
    ],
    others: 'about twice the prompt',
    threads: ['maximhq/bifrost#5354', 'maximhq/bifrost#5510'],
    charge: 4_890,
  },
  {
    name: 'a correction downwards',
    vendor: 'messages',
    usages: [
      { input_tokens: 5_000, output_tokens: 1 },
      { input_tokens: 4_000, output_tokens: 40 },
    ],
    others: 'larger count charged',
    threads: ['maximhq/bifrost#5510'],
    charge: 12_600,
  },
  {
    name: 'a chat stream that counts in more than one chunk',
    vendor: 'chat',
    usages: [
      { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      { prompt_tokens: 100, completion_tokens: 25, total_tokens: 125 },
    ],
    others: 'chunks added up',
    threads: ['InternLM/lmdeploy#3832', 'camel-ai/camel#4217', 'open-webui/open-webui#29064'],
    charge: 675,
  },
  {
    name: 'a chat stream that ends with zeros',
    vendor: 'chat',
    usages: [
      { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    ],
    others: 'own fault',
    threads: [],
    charge: 4_500,
  },
  {
    name: 'a chat stream that counts its input first and its output last',
    vendor: 'chat',
    usages: [
      { prompt_tokens: 1_000, completion_tokens: 0, total_tokens: 1_000 },
      { prompt_tokens: 0, completion_tokens: 100, total_tokens: 100 },
    ],
    others: 'own fault',
    threads: [],
    charge: 4_500,
  },
]
