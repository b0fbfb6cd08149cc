import type { BillingCase } from '../billing-case.ts'

/** Counts under unusual names, in unusual places, or of unusual kinds of tokens. */
export const OTHER_COUNTS: readonly BillingCase[] = [
  {
    name: 'reads beside the prompt, which the total shows',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 18, completion_tokens: 141, total_tokens: 2_443 },
        ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 2_284 },
      },
    ],
    others: 'parts and total differ',
    threads: ['Portkey-AI/gateway#1754', 'vercel/ai#9921'],
    charge: 2_854,
  },
  {
    name: 'reads within the prompt',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 2_593, completion_tokens: 1, total_tokens: 2_594 },
        prompt_tokens_details: { cached_tokens: 2_560, audio_tokens: 0 },
      },
    ],
    others: 'charged as input, or as both',
    threads: ['vercel/ai#11178', 'maximhq/bifrost#904', 'langwatch/langwatch#7018'],
    charge: 882,
  },
  {
    name: 'reads of a stream, with details that are left out elsewhere',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 1_816, completion_tokens: 64, total_tokens: 1_880 },
        prompt_tokens_details: { cached_tokens: 1_792, text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
      },
    ],
    others: 'stream at twice the price',
    threads: ['QuantumNous/new-api#6144'],
    charge: 1_570,
  },
  {
    name: 'reads at the top of the usage',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 1_204, completion_tokens: 40, total_tokens: 1_244 },
        ...{ prompt_cache_hit_tokens: 1_024, prompt_cache_miss_tokens: 180 },
      },
    ],
    others: 'full price for cache hits',
    threads: ['librefang/librefang#3449', 'NousResearch/hermes-agent#61871', 'BerriAI/litellm#5017'],
    charge: 1_447,
  },
  {
    name: 'more reads than the prompt has tokens',
    vendor: 'chat',
    promptBytes: 60_000,
    usages: [
      {
        ...{ prompt_tokens: 56_322, completion_tokens: 87, total_tokens: 56_409 },
        prompt_tokens_details: { cached_tokens: 72_960 },
      },
    ],
    others: 'negative charge; here at most the prompt',
    threads: ['QuantumNous/new-api#5003', 'langchain-ai/langsmith-sdk#1858', 'looplj/axonhub#607'],
    charge: 18_202,
  },
  {
    name: 'usage within the choice',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 1_336, completion_tokens: 31, total_tokens: 1_367, cached_tokens: 1_280 },
        prompt_tokens_details: { cached_tokens: 1_280 },
      },
    ],
    place: 'choice',
    others: 'usage not found',
    threads: ['earendil-works/pi#2017', 'AstrBotDevs/AstrBot#6614'],
    charge: 1_017,
  },
  {
    name: 'usage within a member of the vendor',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
        prompt_tokens_details: { cached_tokens: 900 },
      },
    ],
    place: 'x_groq',
    others: 'full price for cached tokens',
    threads: ['BerriAI/litellm#16129', 'UKGovernmentBEIS/inspect_ai#5529'],
    charge: 2_070,
  },
  {
    name: 'usage in a last chunk without choices',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 113, completion_tokens: 133, total_tokens: 246 },
        prompt_tokens_details: { cached_tokens: 0 },
      },
    ],
    others: 'usage not found',
    threads: ['musistudio/claude-code-router#1234', 'Gitlawb/openclaude#14'],
    charge: 2_334,
  },
  {
    name: 'reasoning beside the output',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 100, completion_tokens: 237, total_tokens: 2_238 },
        completion_tokens_details: { reasoning_tokens: 1_901 },
      },
    ],
    others: 'reasoning free',
    threads: ['LiveBench/LiveBench#503', 'langchain-ai/langchain#34603', 'agentscope-ai/agentscope#2461'],
    charge: 32_370,
  },
  {
    name: 'reasoning within the output',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 100, completion_tokens: 1_000, total_tokens: 1_100 },
        completion_tokens_details: { reasoning_tokens: 900 },
      },
    ],
    others: 'reasoning charged twice',
    threads: ['promptfoo/promptfoo#9326'],
    charge: 15_300,
  },
  {
    name: 'responses: reasoning within the output',
    vendor: 'responses',
    usages: [
      {
        ...{ input_tokens: 55, output_tokens: 23, total_tokens: 78 },
        output_tokens_details: { reasoning_tokens: 11 },
      },
    ],
    others: 'no usage in streams',
    threads: ['kyegomez/swarms#2190'],
    charge: 510,
  },
  {
    name: 'pictures among the input, most of it cached',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 346, completion_tokens: 29, total_tokens: 375 },
        prompt_tokens_details: { text_tokens: 152, audio_tokens: 0, image_tokens: 194, cached_tokens: 322 },
        completion_tokens_details: { text_tokens: 10, audio_tokens: 0, reasoning_tokens: 19 },
      },
    ],
    others: 'reasoning charged twice',
    threads: ['BerriAI/litellm#39850'],
    charge: 604,
  },
  {
    name: 'pictures among the output',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 10, completion_tokens: 1_345, total_tokens: 1_355 },
        prompt_tokens_details: { text_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 225, text_tokens: 0, image_tokens: 1_120 },
      },
    ],
    others: 'text price; here output has one price',
    threads: ['BerriAI/litellm#17410', 'BerriAI/litellm#18182'],
    charge: 20_205,
  },
  {
    name: 'sound among the input and the output',
    vendor: 'chat',
    usages: [
      {
        ...{ prompt_tokens: 200, completion_tokens: 85, total_tokens: 285 },
        prompt_tokens_details: { text_tokens: 20, audio_tokens: 180, cached_tokens: 100 },
        completion_tokens_details: { text_tokens: 0, audio_tokens: 47, reasoning_tokens: 38 },
      },
    ],
    others: 'sound free, or full price for cached tokens',
    threads: ['BerriAI/litellm#38457', 'langwatch/langwatch#7048'],
    charge: 1_605,
  },
  {
    name: 'a count below zero',
    vendor: 'chat',
    usages: [{ prompt_tokens: 100, completion_tokens: -5, total_tokens: 95 }],
    others: 'negative cost; here the text is counted',
    threads: ['synthetic-sciences/openscience#121'],
    charge: 375,
  },
  {
    name: 'messages: a count below zero',
    vendor: 'messages',
    usages: [{ input_tokens: 100, cache_read_input_tokens: -500, output_tokens: 10 }],
    others: 'negative cost',
    threads: ['langchain-ai/langsmith-sdk#1858'],
    charge: 450,
  },
  {
    name: 'two billion tokens of output',
    vendor: 'chat',
    usages: [{ prompt_tokens: 10, completion_tokens: 2_000_000_000, total_tokens: 2_000_000_010 }],
    others: 'own fault: balance emptied',
    threads: [],
    // Twice the output bound and 1,024 more. The messages client asks for at most 10,000 tokens, the others for no bound.
    charge: { messages: 315_390, chat: 3_855_390, responses: 3_855_390 },
  },
]
