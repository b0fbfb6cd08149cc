import type { BillingCase } from '../billing-case.ts'

const MESSAGES = { input_tokens: 1_000, output_tokens: 100 }
const CHAT = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const RESPONSES = { ...MESSAGES, total_tokens: 1_100 }
const SAID = {
  ...{ type: 'message', id: 'm1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Hello, all of you.', annotations: [] }],
}

/** Options that make a reply more or less expensive than its tokens. Without them these tokens cost 4,500. */
export const TIERS_AND_TOOLS: readonly BillingCase[] = [
  {
    name: 'fast mode asked for, standard speed served',
    vendor: 'messages',
    usages: [{ ...MESSAGES, speed: 'standard' }],
    asks: { speed: 'fast' },
    others: 'request decided: six times the price',
    threads: ['BerriAI/litellm#38378'],
    charge: 4_500,
  },
  {
    name: 'fast mode with cache reads',
    vendor: 'messages',
    usages: [{ ...MESSAGES, cache_read_input_tokens: 6_034, speed: 'fast' }],
    others: 'factor not applied to cached tokens',
    threads: ['BerriAI/litellm#34526', 'BerriAI/litellm#38378'],
    charge: 37_861,
  },
  {
    name: 'a region that costs more',
    vendor: 'messages',
    usages: [{ ...MESSAGES, inference_geo: 'us' }],
    others: 'a tenth too little',
    threads: ['BerriAI/litellm#38369'],
    charge: 4_950,
  },
  {
    name: 'priority asked for, the default tier served',
    vendor: 'responses',
    usages: [RESPONSES],
    reply: { service_tier: 'default' },
    asks: { service_tier: 'priority' },
    others: 'request decided',
    threads: ['BerriAI/litellm#31837'],
    charge: 4_500,
  },
  {
    name: 'the priority tier',
    vendor: 'chat',
    usages: [CHAT],
    reply: { service_tier: 'priority' },
    others: 'default price',
    threads: ['BerriAI/litellm#37046'],
    charge: 9_000,
  },
  {
    name: 'the flex tier, as a stream too',
    vendor: 'chat',
    usages: [CHAT],
    reply: { service_tier: 'flex' },
    others: 'tier lost in streams',
    threads: ['BerriAI/litellm#13810', 'BerriAI/litellm#38458'],
    charge: 2_250,
  },
  {
    name: 'a tier that only the usage names',
    vendor: 'chat',
    usages: [{ ...CHAT, service_tier: 'flex' }],
    others: 'tier not found',
    threads: ['BerriAI/litellm#17748'],
    charge: 2_250,
  },
  {
    name: 'a tier without a price',
    vendor: 'responses',
    usages: [RESPONSES],
    reply: { service_tier: 'ultrafast' },
    others: 'default price',
    threads: [],
    charge: 27_000,
  },
  {
    name: 'searches of the vendor',
    vendor: 'messages',
    usages: [{ input_tokens: 9_548, output_tokens: 528, server_tool_use: { web_search_requests: 2 } }],
    others: 'searches free',
    threads: ['BerriAI/litellm#31355'],
    charge: 56_564,
  },
  {
    name: 'pages that were only fetched',
    vendor: 'messages',
    usages: [{ ...MESSAGES, server_tool_use: { web_search_requests: 0, web_fetch_requests: 3 } }],
    others: 'not seen: a fetch costs its tokens only',
    threads: [],
    charge: 4_500,
  },
  {
    name: 'searches that only the output shows',
    vendor: 'responses',
    usages: [{ input_tokens: 100, output_tokens: 4_619, total_tokens: 4_719 }],
    reply: {
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
        { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'search', query: 'b' } },
        { type: 'web_search_call', id: 'ws_3', status: 'completed', action: { type: 'open_page', url: 'c' } },
        SAID,
      ],
    },
    others: 'searches free',
    threads: ['BerriAI/litellm#15227'],
    charge: 89_585,
  },
  {
    name: 'searches that the vendor counts beside the tokens',
    vendor: 'chat',
    usages: [{ prompt_tokens: 9, completion_tokens: 1_020, total_tokens: 1_029, num_search_queries: 3 }],
    others: 'wrong by up to ten times',
    threads: ['langchain-ai/langchain#39350', 'langchain-ai/langsmith-sdk#1658'],
    charge: 45_327,
  },
  {
    name: 'a search that only a citation shows',
    vendor: 'chat',
    usages: [{ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }],
    message: { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] },
    others: 'searches free',
    threads: [],
    charge: 10_450,
  },
  {
    name: 'searches that only the list of tools shows',
    vendor: 'chat',
    usages: [{ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }],
    message: {
      executed_tools: [
        { index: 0, type: 'browser_search', name: 'browser.search' },
        { index: 1, type: 'browser_search', name: 'browser.open' },
        { index: 2, type: 'python' },
      ],
    },
    others: 'searches free',
    threads: [],
    charge: 20_450,
  },
  {
    name: 'a container that ran code',
    vendor: 'messages',
    usages: [MESSAGES],
    reply: { container: { id: 'container_1', expires_at: '2030-01-01T00:00:00Z' } },
    others: 'not in the usage object',
    threads: ['agentjido/req_llm#265'],
    charge: 34_500,
  },
  {
    name: 'a picture that the vendor made',
    vendor: 'responses',
    usages: [RESPONSES],
    reply: {
      output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' }, SAID],
    },
    others: 'text price for pictures',
    threads: ['BerriAI/litellm#31142'],
    charge: 44_500,
  },
  {
    name: 'compaction, which the counts beside it leave out',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 23_000, output_tokens: 1_000 },
        iterations: [
          { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
          { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        ],
      },
    ],
    others: 'larger part free',
    threads: ['pydantic/pydantic-ai#5065', 'maximhq/bifrost#6500', 'JeffOtano/roni#198'],
    charge: 676_500,
  },
  {
    name: 'compaction that reads the cache',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 100, cache_read_input_tokens: 0, output_tokens: 50 },
        iterations: [
          { type: 'compaction', input_tokens: 10, cache_read_input_tokens: 150_000, output_tokens: 500 },
          { type: 'message', input_tokens: 100, cache_read_input_tokens: 0, output_tokens: 50 },
        ],
      },
    ],
    others: 'cache not added up',
    threads: ['BerriAI/litellm#27065'],
    charge: 53_580,
  },
  {
    name: 'iterations that are added up already',
    vendor: 'messages',
    usages: [
      {
        ...{ input_tokens: 2_000, output_tokens: 200 },
        iterations: [
          { type: 'message', ...MESSAGES },
          { type: 'message', ...MESSAGES },
        ],
      },
    ],
    others: 'sum taken for one iteration',
    threads: ['anthropics/claude-code#84738'],
    charge: 9_000,
  },
  {
    name: 'an advisor of another model',
    vendor: 'messages',
    usages: [
      {
        ...MESSAGES,
        iterations: [
          { type: 'message', ...MESSAGES },
          { type: 'advisor_message', model: 'small-1', ...MESSAGES },
        ],
      },
    ],
    others: "advisor at the model's price",
    threads: ['anthropics/claude-code#53065'],
    charge: 6_000,
  },
  {
    name: 'an attempt that was declined before a fallback',
    vendor: 'messages',
    usages: [
      {
        ...MESSAGES,
        iterations: [
          { type: 'message', input_tokens: 1_000, output_tokens: 0 },
          { type: 'fallback_message', model: 'small-1', ...MESSAGES },
        ],
      },
    ],
    others: 'declined attempt charged',
    threads: ['maximhq/bifrost#6500'],
    charge: 1_500,
  },
]
